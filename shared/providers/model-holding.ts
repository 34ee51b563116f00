/** A model that a server has, and the instances of it in memory, each under the name by which it is asked. */
export type HeldModel = { id: string; language: boolean; loaded: readonly string[]; context_length: number | null }

/** What a server tells of its models. `steerable`: whether it has calls that load and unload, or loads only what it is asked for. */
export type HeldModels = { models: HeldModel[]; steerable: boolean }

/** One call of a server: POST of a JSON body. */
export type HoldingCall = { url: string; body: object }

/** How a server that holds models in memory is asked which, and told to load and unload them. Pure: whoever has the provider does the asking. */
export type ModelHolding = {
  /** Addresses that tell which models there are and which are in memory, the newest first: where one is not there the next is asked. */
  stateUrls(base_url: string): readonly string[]
  /** The answer of one of them; undefined for anything else. */
  readState(json: unknown): HeldModels | undefined
  load(base_url: string, model: string): HoldingCall
  /** The name of the instance that was loaded; undefined where the answer is no such one. */
  readLoaded(json: unknown): string | undefined
  unload(base_url: string, instance: string): HoldingCall
  /** What somebody types instead on the server's own machine, where it has no such call. */
  byHand: { load(model: string): string; unload(model: string): string }
}
