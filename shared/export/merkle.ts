import { sha256 } from '@noble/hashes/sha2.js'
import { type OpenSha256, openNoble } from './running-sha256.ts'

const leafMark = Uint8Array.of(0)
const nodeMark = Uint8Array.of(1)

/** The hash of one entry of a tree, after RFC 6962. */
export function leafHash(entry: Uint8Array, open: OpenSha256 = openNoble): Uint8Array {
  const digest = open()
  digest.update(leafMark)
  digest.update(entry)
  return digest.digest()
}

function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(nodeMark).update(left).update(right).digest()
}

export type Tree = { add(leaf: Uint8Array): void; size(): number; root(): Uint8Array }

/** A Merkle tree hash (RFC 6962, 2.1) that grows leaf by leaf and keeps one hash for each level. */
export function openTree(): Tree {
  /** Whole subtrees from the left, the largest first; the bits of `count` are their sizes. */
  const whole: Uint8Array[] = []
  let count = 0
  return {
    add(leaf) {
      let hash = leaf
      for (let rest = count; rest % 2 === 1; rest = Math.floor(rest / 2)) hash = nodeHash(whole.pop()!, hash)
      whole.push(hash)
      count++
    },
    size: () => count,
    root: () => (count === 0 ? sha256(new Uint8Array()) : whole.reduceRight((right, left) => nodeHash(left, right))),
  }
}

/** The audit path of a leaf (RFC 6962, 2.1.1): with it, the root proves that the leaf is the tree's `index`th. */
export function auditPath(leaves: readonly Uint8Array[], index: number): Uint8Array[] {
  if (leaves.length <= 1) return []
  const split = largestPower(leaves.length)
  const [left, right] = [leaves.slice(0, split), leaves.slice(split)]
  return index < split ? [...auditPath(left, index), rootOf(right)] : [...auditPath(right, index - split), rootOf(left)]
}

/** The root that a leaf and its audit path lead to in a tree of `size` leaves; undefined where the path cannot belong to it. */
export function rootFrom(leaf: Uint8Array, index: number, size: number, path: readonly Uint8Array[]): Uint8Array | undefined {
  if (index < 0 || index >= size) return undefined
  if (size === 1) return path.length === 0 ? leaf : undefined
  const last = path.at(-1)
  if (!last) return undefined
  const split = largestPower(size)
  const inner =
    index < split ? rootFrom(leaf, index, split, path.slice(0, -1)) : rootFrom(leaf, index - split, size - split, path.slice(0, -1))
  if (!inner) return undefined
  return index < split ? nodeHash(inner, last) : nodeHash(last, inner)
}

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const tree = openTree()
  for (const leaf of leaves) tree.add(leaf)
  return tree.root()
}

/** The largest power of two below `size`. */
function largestPower(size: number): number {
  let power = 1
  while (power * 2 < size) power *= 2
  return power
}
