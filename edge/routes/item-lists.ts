import type { CreateRun } from '#shared/contract/create-run.ts'
import type { ItemList, ListedData } from '#shared/contract/item-list.ts'
import { listsFor } from '#shared/run/build-spec.ts'
import type { ItemLookup } from '#shared/run/chosen-items.ts'
import type { Deps, Principal } from '../deps.ts'
import { Problem } from '../problem.ts'

/** The lists of items that the choice of a request is read with, looked up before the run is planned. */
export async function findItemLists(
  body: CreateRun,
  model: { provider: string },
  principal: Pick<Principal, 'owner_id'>,
  deps: Deps,
): Promise<ItemLookup> {
  const wanted = listsFor(body, model, deps)
  const found = await Promise.all(wanted.map(async (of) => [of.name, await getItemList(of, principal, deps)] as const))
  const lists = new Map(found)
  return ({ name }) => lists.get(name)
}

/** The items of a benchmark. Throws `Problem` where they cannot be listed, or cannot yet. */
export async function getItemList(
  of: ListedData,
  { owner_id }: Pick<Principal, 'owner_id'>,
  { fleet }: Pick<Deps, 'fleet'>,
): Promise<ItemList> {
  if (of.data.private && owner_id === null)
    throw new Problem(
      'unauthorized',
      `The rows of ${of.name} are the operator's own here: sign in or send a key to see how its items are called.`,
    )
  const listing = await fleet.listItems(of)
  switch (listing.type) {
    case 'listed':
      return listing.list
    case 'refused':
      throw new Problem(
        'unavailable',
        `The items of ${of.name} cannot be listed: ${listing.why} Items can be chosen by id, such as id:0-99.`,
      )
    case 'reading':
      throw new Problem('unavailable', `An agent is reading the data of ${of.name}. Try again in a few seconds.`, { retry_after_s: 5 })
    case 'absent':
      throw new Problem(
        'unavailable',
        `An agent lists the items of ${of.name}, and none is connected that can. Start one, or choose items by id, such as id:0-99.`,
        { retry_after_s: 30 },
      )
  }
}
