import { type Loaded, loadModel, NotHeld, notTold, readHeld, unloadModels } from '#fleet/model/held-models.ts'
import type { HeldModel } from '#shared/providers/model-holding.ts'
import type { KeyedProvider } from '#shared/providers/provider.ts'
import { defOf } from '#shared/providers/providers.ts'
import { modelReadings } from '#shared/run/model-readings.ts'
import { providersFrom } from '../configured-providers.ts'
import { CommandError, exitCodes, type Io, UsageError } from './io.ts'
import { count } from './numbers.ts'
import { cleanLine, table } from './terminal.ts'

type Asked = { provider: string | undefined; load: string | undefined; unload: string | undefined; json: boolean }

const columns = [{ title: 'model', whole: true }, { title: 'provider' }, { title: 'context', right: true }, { title: 'memory' }]

/**
 * `bench models --here`, `--load` and `--unload`: the models of this machine's providers, and which of them are in memory. A model is unloaded
 * before another is loaded, so that one command switches.
 */
export async function modelsHere({ provider: id, load, unload, json }: Asked, io: Io): Promise<number> {
  const configured = await providersFrom(io.env, io.fetch, io.err)
  try {
    if (load === undefined && unload === undefined) return await listHere(chosen(configured, id), json, io)
    const provider = holderAmong(configured, id, load ?? unload ?? '')
    const nameOf = (model: string) => modelReadings({ model_id: model, provider: null }, [provider]).at(-1)!.model_id // the whole name at least
    const asking = { provider, fetcher: io.fetch, signal: io.signal }
    const known = (await readHeld(asking))?.models.map((one) => one.id) ?? []
    const readAs = (model: string) => (known.includes(model) ? model : nameOf(model))
    if (unload !== undefined) tellUnloaded(await unloadModels(asking, readAs(unload)), provider, json, io)
    if (load === undefined) return exitCodes.ok
    const loaded = await loadModel(asking, readAs(load), io.now)
    if (!loaded) throw notTold(provider)
    tellLoaded(loaded, provider, json, io)
    return exitCodes.ok
  } catch (error) {
    if (io.signal.aborted) throw new CommandError('interrupted', 'interrupted', null, { cause: error })
    if (error instanceof NotHeld)
      throw new CommandError(cleanLine(error.message, 500), error.unknown ? 'model-not-found' : 'not-loaded', null, { cause: error })
    throw error
  }
}

function tellUnloaded(instances: readonly string[], { id }: KeyedProvider, json: boolean, io: Io): void {
  if (json) return io.out(JSON.stringify({ type: 'unloaded', provider: id, instances }))
  io.out(
    instances.length === 0
      ? `nothing of it was in memory on ${id}`
      : `unloaded ${instances.map((one) => cleanLine(one)).join(', ')} on ${id}`,
  )
}

function tellLoaded({ instance, took_ms }: Loaded, { id }: KeyedProvider, json: boolean, io: Io): void {
  if (json) return io.out(JSON.stringify({ type: 'loaded', provider: id, instance, took_ms }))
  const how = took_ms === null ? 'was in memory already' : `loaded in ${(took_ms / 1000).toFixed(1)} s`
  io.out(`${cleanLine(instance)} on ${id} ${how}`)
}

function chosen(configured: readonly KeyedProvider[], id: string | undefined): readonly KeyedProvider[] {
  const found = configured.filter((one) => id === undefined || one.id === id)
  if (found.length > 0) return found
  const known = configured.map((one) => one.id).join(', ') || 'none'
  throw new UsageError(
    id === undefined ? 'No provider is configured here.' : `--provider: there is no ${cleanLine(id)} here. Configured: ${known}.`,
  )
}

/** The provider that holds models in memory: the one that is named, beside the option or in front of the model, or the only one. */
function holderAmong(configured: readonly KeyedProvider[], id: string | undefined, model: string): KeyedProvider {
  const holders = configured.filter((one) => defOf(one).holding !== null)
  const named = id ?? modelReadings({ model_id: model, provider: null }, holders)[1]?.provider ?? undefined
  const [only, ...others] = named === undefined ? holders : chosen(configured, named)
  if (!only) throw new UsageError('No provider here holds models in memory: set LMSTUDIO_BASE_URL.')
  if (others.length > 0) throw new UsageError(`Say which with --provider: ${holders.map((one) => one.id).join(', ')}.`)
  if (defOf(only).holding === null) throw new UsageError(`${only.id} loads its models itself; LM Studio is told to.`)
  return only
}

async function listHere(providers: readonly KeyedProvider[], json: boolean, io: Io): Promise<number> {
  const rows: string[][] = []
  for (const provider of providers) {
    const held = (await readHeld({ provider, fetcher: io.fetch, signal: io.signal }))?.models.filter(({ language }) => language) ?? []
    for (const { id, context_length } of held.length > 0 ? held : provider.models) {
      const memory = memoryOf(held.find((one) => one.id === id))
      if (json) io.out(JSON.stringify({ type: 'model', provider: provider.id, id, context_length, memory }))
      else rows.push([cleanLine(id), provider.id, context_length === null ? '–' : count(context_length), memory ?? ''])
    }
  }
  if (!json) for (const line of rows.length > 0 ? table(columns, rows, io.columns) : ['No provider here names its models.']) io.out(line)
  return exitCodes.ok
}

/** As LM Studio says it; null where the provider holds nothing in memory, or does not tell. */
const memoryOf = (model: HeldModel | undefined): 'loaded' | 'not-loaded' | null =>
  model ? (model.loaded.length > 0 ? 'loaded' : 'not-loaded') : null
