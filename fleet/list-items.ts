import { BadRecord, type OpenedTask } from '#shared/benchmarks/task.ts'
import type { CreateRun } from '#shared/contract/create-run.ts'
import type { Outcome } from '#shared/contract/failure.ts'
import { type ItemList, type ListedData, mostListed, mostNameChars } from '#shared/contract/item-list.ts'
import { listsFor } from '#shared/run/build-spec.ts'
import type { ItemLookup } from '#shared/run/chosen-items.ts'
import { RunRefused } from '#shared/run/run-refused.ts'
import type { DatasetEnv } from './dataset/dataset-env.ts'
import { datasetError, outcomeOf, unwrap } from './dataset/dataset-error.ts'
import type { OpenedDataset } from './dataset/open-dataset.ts'
import { openPlanned } from './open-planned.ts'

/** Items that are read before others get their turn. */
const turnItems = 200

/**
 * The items of a benchmark on given data, with their keys and groups: no text of theirs, so that gated data stay where they are. Fails as `openPlanned` does,
 * with `dataset/bad-record` for a row that does not fit, and for more than `mostListed` items.
 */
export async function listItems(of: ListedData, env: DatasetEnv): Promise<Outcome<ItemList>> {
  const kept: OpenedDataset[] = []
  try {
    return await outcomeOf(async () => {
      if (of.total_items > mostListed) throw tooMany(of)
      const { items } = unwrap(await openPlanned(of, env, (dataset) => kept.push(dataset)))
      return await readList(items)
    })
  } finally {
    await Promise.all(kept.map((one) => one.close()))
  }
}

/** The lists of items that the choice of a request is read with. Throws `RunRefused`. */
export async function openLists(
  request: CreateRun,
  model: { provider: string },
  offer: Parameters<typeof listsFor>[2],
  env: DatasetEnv,
): Promise<ItemLookup> {
  const lists = new Map<string, ItemList>()
  for (const of of listsFor(request, model, offer)) {
    const listed = await listItems(of, env)
    if (!listed.ok) throw new RunRefused('validation', `/items/${of.name}`, listed.failure.detail)
    lists.set(of.name, listed.value)
  }
  return ({ name }) => lists.get(name)
}

async function readList(items: OpenedTask): Promise<ItemList> {
  const places = new Map<string, number>()
  const list: ItemList = { keys: [], groups: [], group_of: [] }
  for (let index = 0; index < items.count; index++) {
    const { source_id, group } = await items.item(index, 0).catch(unreadable)
    list.keys.push(source_id === null || source_id.length > mostNameChars ? null : source_id)
    list.group_of.push(group === null ? null : placeOf(group.slice(0, mostNameChars)))
    if (index % turnItems === turnItems - 1) await new Promise((resolve) => setImmediate(resolve))
  }
  return list

  function placeOf(group: string): number {
    const place = places.get(group) ?? list.groups.push(group) - 1
    places.set(group, place)
    return place
  }
}

function unreadable(error: unknown): never {
  throw error instanceof BadRecord ? datasetError('bad-record', error.message, { cause: error }) : error
}

const tooMany = ({ name, total_items }: ListedData) =>
  datasetError(
    'unavailable',
    `${name} has ${total_items.toLocaleString('en-US')} items here, and at most ${mostListed.toLocaleString('en-US')} are listed: choose them by id, such as id:0-99.`,
  )
