import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { findCard } from '#shared/benchmarks/cards.ts'
import { builtinRepo } from '#shared/contract/card.ts'
import { sampleRole } from '../dataset/sample-identities.ts'
import { bundleBench, oldestNode } from './bundle.ts'

const Root = z.object({ name: z.string(), version: z.string(), description: z.string() })

/**
 * Writes a package that has no dependencies into `dir`, which it empties first: the bundled program, the samples and built-in data it reads, the licences of what
 * is inside. `version` is what it says of itself. Gives the size of the program in bytes.
 */
export async function writePackage(root: string, dir: string, version?: string): Promise<number> {
  const { name, description, ...own } = Root.parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
  const { code, licences } = await bundleBench(root, version ?? own.version)
  rmSync(dir, { recursive: true, force: true })
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'bench.mjs'), code, { mode: 0o755 })
  writeFileSync(join(dir, 'THIRD_PARTY_LICENCES.txt'), licences)
  const files = ['bench.mjs', 'benchmarks', 'THIRD_PARTY_LICENCES.txt']
  const entry = {
    name,
    version: own.version,
    description,
    type: 'module',
    bin: { bench: 'bench.mjs' },
    engines: { node: `>=${oldestNode}` },
    files,
  }
  writeFileSync(join(dir, 'package.json'), `${JSON.stringify(entry, null, 2)}\n`)
  cpSync(join(root, 'fleet', 'package', 'README.md'), join(dir, 'README.md'))
  copyData(join(root, 'shared', 'benchmarks'), join(dir, 'benchmarks'))
  return Buffer.byteLength(code)
}

function copyData(from: string, to: string): void {
  for (const benchmark of readdirSync(from, { withFileTypes: true }).filter((one) => one.isDirectory())) {
    const data = findCard(benchmark.name)?.data
    const builtin = data?.repo === builtinRepo ? data.files.map(({ path }) => path) : []
    const isData = (name: string): boolean => sampleRole(name) !== undefined || builtin.includes(name)
    for (const file of readdirSync(join(from, benchmark.name)).filter(isData)) {
      mkdirSync(join(to, benchmark.name), { recursive: true })
      cpSync(join(from, benchmark.name, file), join(to, benchmark.name, file))
    }
  }
}
