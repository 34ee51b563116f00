import type { Tool, ToolCall } from '../contract/message.ts'

/** Who calls a tool: the agent that is tested, or the user it talks to. */
export type Party = 'assistant' | 'user'

/** A call as it was made: the text of its arguments as the model wrote it, for Python keeps 2 and 2.0 apart. */
export type WorldCall = Pick<ToolCall, 'arguments'> & { name: string; party: Party }

/** What a tool answers, in Python's words to the byte; `error` where it begins with `Error: `. */
export type WorldAnswer = { content: string; error: boolean }

/** Something done or asked by name with arguments, as tasks write it (`initialization_actions`, `env_assertions`). `args` is JSON text. */
export type WorldAction = { party: Party; name: string; args: string }

/** Both data bases as JSON values, for showing what a dialogue changed. */
export type WorldState = { [party in Party]: unknown }

/**
 * The environment of one dialogue: two data bases, and the tools that read and change them. Deterministic; nothing of it outlives it.
 * Source: tau2-bench, `src/tau2/environment/environment.py` and `src/tau2/domains/telecom/`.
 */
export type World = {
  /** Runs a call and brings both data bases into line. Never throws: what Python would raise is an answer with `error`. */
  respond(call: WorldCall): WorldAnswer
  /** Brings both data bases into line, as after every step. Throws `WorldBroken` where the official one raises. */
  sync(): void
  /** Does what a task begins with. Throws `WorldBroken` where the official one raises. */
  prepare(actions: readonly WorldAction[]): void
  /** Whether an assertion's function gives the value that is asked for. Throws `WorldBroken` where the official one raises. */
  holds(assertion: WorldAction & { value: boolean }): boolean
  /** Whether the party has a tool of this name that changes something: what is replayed when a dialogue is evaluated. */
  changes(party: Party, name: string): boolean
  state(): WorldState
}

/** An environment raised where no answer of a tool may hold it: the task cannot be played. */
export class WorldBroken extends Error {}

/** A domain, read once from its pinned files: its tools as models are told of them, and fresh environments. */
export type Domain = { tools: { [party in Party]: readonly Tool[] }; open(): World }
