import { type Bin, type BinClass, give, type Part, roomFor } from './bins.ts'
import { createHeap } from './heap.ts'

/** How many slots are dealt at once where a pool has `room` for so many and so many parts want some. */
export type Step = (room: number, parts: number) => number

/** Into the pools of agents: a run is spread over them, in pieces that are worth opening its data for. */
export const pieces: Step = (room) => Math.min(8, Math.floor(room / 8))
/** Where only the sums matter: half of what is there in each round, so that the last rounds make shares equal. */
export const halves: Step = (room, parts) => Math.floor(room / (2 * parts))

/**
 * Deals free slots out until nobody wants or nothing fits: higher priority first, then the owner with the fewest, of theirs the part with the
 * fewest, then the oldest; each time into the pool with most room. `most` says how many a part may have in all.
 */
export function deal(parts: readonly Part[], classes: readonly BinClass[], most: (part: Part) => number, step: Step = pieces): void {
  const priorities = [...new Set(parts.map(({ run }) => run.priority))].sort((a, b) => b - a)
  const rooms = classes.map((one) => ({ ...one, heap: createHeap(one.bins, (a, b) => a.free[a.unit]! > b.free[b.unit]!) }))
  for (const priority of priorities) {
    const equals = parts.filter(({ run }) => run.priority === priority)
    const owners = createHeap(ownersOf(equals), (a, b) => a.given < b.given || (a.given === b.given && comesBefore(a.oldest, b.oldest)))
    for (let owner = owners.first(); owner; owner = owners.first()) {
      const part = owner.parts.first()
      if (!part) {
        owners.drop()
        continue
      }
      const wanted = Math.min(most(part) - part.given, part.run.left)
      const room = wanted > 0 ? roomiest(part, rooms) : undefined
      if (!room) {
        owner.parts.drop()
        continue
      }
      const { left, parts: sharers } = part.run
      const turn = sharers.length > 1 ? Math.floor(left / (2 * sharers.length)) : left // parts of one run share its concurrency
      const slots = Math.max(1, Math.min(wanted, turn, step(roomFor(part, room.bin), equals.length)))
      give(part, room.bin, slots)
      room.settle()
      owner.given += slots
      owner.parts.moved()
      owners.moved()
    }
  }
}

type Owner = { given: number; oldest: Part; parts: ReturnType<typeof createHeap<Part>> }

function ownersOf(parts: readonly Part[]): Owner[] {
  const byOwner = new Map<string, Part[]>()
  for (const part of parts) byOwner.set(part.run.owner_id, [...(byOwner.get(part.run.owner_id) ?? []), part])
  return [...byOwner.values()].map((mine) => {
    const heap = createHeap(mine, (a, b) => a.given < b.given || (a.given === b.given && comesBefore(a, b)))
    const oldest = mine.reduce((first, part) => (comesBefore(part, first) ? part : first))
    return { given: mine.reduce((sum, { given }) => sum + given, 0), oldest, parts: heap }
  })
}

/** Age, and where that is the same, the name: the same fleet is dealt alike each time. */
export function comesBefore(a: Part, b: Part): boolean {
  if (a.run.created_at !== b.run.created_at) return a.run.created_at < b.run.created_at
  return a.key < b.key
}

type Room = BinClass & { heap: ReturnType<typeof createHeap<Bin>> }

/** The pool with most room among those that take this part; `settle` is called once its room has shrunk. */
function roomiest(part: Part, rooms: readonly Room[]): { bin: Bin; settle(): void } | undefined {
  let best: { bin: Bin; settle(): void } | undefined
  for (const { accepts, bins, heap } of rooms) {
    if (!accepts(part)) continue
    const top = heap.first()
    if (!top) continue
    const fits = roomFor(part, top) > 0
    // The one with most cpus may lack memory or disk: then any that fits will do, and the heap's order is only a little out.
    const bin = fits ? top : top.unit === 'calls' ? undefined : bins.find((one) => roomFor(part, one) > 0)
    if (!bin || (best && best.bin.free[best.bin.unit]! >= bin.free[bin.unit]!)) continue
    best = { bin, settle: () => fits && heap.moved() }
  }
  return best
}
