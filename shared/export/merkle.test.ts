import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toHex } from './bytes.ts'
import { auditPath, leafHash, openTree, rootFrom } from './merkle.ts'
import { unpack } from './testing/forge.ts'
import { sampleBundle, sampleRun } from './testing/sample-run.ts'

/** The entries and roots that implementations of RFC 6962 test themselves with. */
const entries = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'].map((hex) =>
  Uint8Array.from(Buffer.from(hex, 'hex')),
)
const roots = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
]
const leaves = (count: number) => Array.from({ length: count }, (_, index) => leafHash(Uint8Array.of(index % 256, index >> 8)))
const rootOf = (list: Uint8Array[]): string => {
  const tree = openTree()
  for (const leaf of list) tree.add(leaf)
  return toHex(tree.root())
}

test('[EXP102] the root is that of RFC 6962, for every size', () => {
  expect(roots.map((_, size) => rootOf(entries.slice(0, size).map((entry) => leafHash(entry))))).toEqual(roots)
})

test('[EXP102] an audit path leads a leaf to the root, and nothing else does', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 300 }), fc.nat(), fc.nat(), (size, at, other) => {
      const all = leaves(size)
      const index = at % size
      const path = auditPath(all, index)
      const from = (leaf: Uint8Array, place: number, list: Uint8Array[]) => toHex(rootFrom(leaf, place, size, list) ?? new Uint8Array())
      const root = rootOf(all)
      expect(from(all[index]!, index, path)).toBe(root)
      expect(from(leafHash(Uint8Array.of(1, 2, 3)), index, path)).not.toBe(root)
      if (other % size !== index) expect(from(all[index]!, other % size, path)).not.toBe(root)
      expect(rootFrom(all[index]!, index, size, [...path, all[0]!])).toBeUndefined()
      expect(rootFrom(all[index]!, size, size, path)).toBeUndefined()
    }),
  )
})

test('[EXP102] a single item of a bundle is proven by its line, its path and the signed manifest', async () => {
  const members = await unpack(await sampleBundle(sampleRun(3)))
  const { items } = JSON.parse(members['manifest.json']!) as { items: { count: number; root: string } }
  const hashes = members['items.jsonl']!.split('\n')
    .slice(0, -1)
    .map((line) => leafHash(new TextEncoder().encode(line)))
  expect(items.count).toBe(hashes.length)
  for (const [index, leaf] of hashes.entries())
    expect(toHex(rootFrom(leaf, index, items.count, auditPath(hashes, index))!)).toBe(items.root)
})
