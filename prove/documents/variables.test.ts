import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readTree } from '../architecture/source-tree.ts'
import { lostFiles } from './check-files.ts'
import { commandsOf, isGuide, readGuides } from './collect-commands.ts'
import { foreignVariables, internalVariables } from './foreign-variables.ts'
import { readDocument } from './read-document.ts'
import { productVariables, variablesInScript, variablesNamed, variablesRead } from './variables.ts'

const root = join(import.meta.dirname, '..', '..')
const tree = await readTree(root)
const guides = readGuides(tree)
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')
const named = new Map(
  guides.flatMap(({ path, spans, fences }) =>
    [...spans, ...fences].flatMap(({ text, line }) => variablesNamed(text).map((variable) => [variable, `${path}:${line}`] as const)),
  ),
)
const product = productVariables(tree)
const scripts = ['docs/autoscaling/follow-demand.sh', 'fleet.compose.yml'].flatMap((path) => variablesInScript(textOf(path)))

test('[DOC511] a file or folder that a document for users names is there, or somebody makes it', () => {
  const forUsers = guides.filter(({ path }) => !/^shared\/(SPEC|benchmarks\/)/.test(path) && path !== 'CHANGELOG.md')
  expect(forUsers.length).toBeGreaterThan(8)
  expect(forUsers.flatMap((guide) => lostFiles(guide, tree))).toEqual([])
})

test('[DOC512] every variable that a document names is read by code, or by a program that the list of foreign ones names', () => {
  const everywhere = new Set([...tree].filter(([path]) => /\.(ts|tsx|mjs)$/.test(path)).flatMap(([, text]) => variablesRead(text)))
  const set = new Set(
    [...tree].flatMap(([path, text]) =>
      /^shared\/episode\/.*\.ts$/.test(path) ? [...text.matchAll(/\b(BENCH_[A-Z_]+)\b/g)].map((one) => one[1]!) : [],
    ),
  )
  const lost = [...named].filter(([variable]) => !everywhere.has(variable) && !set.has(variable) && !scripts.includes(variable))
  expect(lost.filter(([variable]) => foreignVariables[variable] === undefined)).toEqual([])
  expect(Object.keys(foreignVariables).filter((variable) => !lost.some(([name]) => name === variable))).toEqual([])
})

test('[DOC512] every variable that a program reads is in a document, or in the list of internal ones', () => {
  const silent = [...product].filter(([variable]) => !named.has(variable))
  expect(silent.filter(([variable]) => internalVariables[variable] === undefined)).toEqual([])
  expect(Object.keys(internalVariables).filter((variable) => !silent.some(([name]) => name === variable))).toEqual([])
})

test('[DOC512] the compose file sets what agents read, passes every variable of .env on, and documents name all of it', () => {
  const { services } = parse(textOf('fleet.compose.yml')) as {
    services: Record<string, { env_file?: { path: string }[]; environment: Record<string, string> }>
  }
  expect(services.agent!.env_file).toMatchObject([{ path: '.env' }])
  expect(Object.keys(services.agent!.environment).filter((variable) => !product.has(variable))).toEqual([])
  const follows = variablesInScript(textOf('docs/autoscaling/follow-demand.sh'))
  expect(
    Object.keys(services.scaler!.environment).filter((variable) => !follows.includes(variable) && variable !== 'BENCH_AGENT_TOKEN'),
  ).toEqual([])
  expect(variablesInScript(textOf('fleet.compose.yml')).filter((variable) => !named.has(variable))).toEqual([])
})

test('[DOC512] README and edge/README list the variables of the Worker, all of them', () => {
  const [, env = ''] = /export type Env = \{(.*?)\n\}/s.exec(textOf('edge/objects/env.ts')) ?? []
  const read = [...env.matchAll(/^ {2}([A-Z_]+)\?: string$/gm)]
    .map((match) => match[1]!)
    .filter((variable) => internalVariables[variable] === undefined)
  const rows = textOf('README.md')
    .split('\n')
    .filter((line) => /^\| `/.test(line) && /^\|[^|]*\|[^|]*\bWorker\b/.test(line))
  const [, access = ''] = /## Who gets in\n(.*?)\n\*/s.exec(textOf('edge/README.md')) ?? []
  const told = new Set([...rows.map((row) => row.split('|')[1]!), access].flatMap(variablesNamed))
  expect(read.filter((variable) => !told.has(variable))).toEqual([])
  expect([...told].filter((variable) => !read.includes(variable) && variable !== 'OTEL_METRIC_EXPORT_INTERVAL')).toEqual([])
})

test('[DOC512] every variable that a shown command sets is read', () => {
  const shown = guides
    .flatMap(commandsOf)
    .flatMap(({ path, line, variables }) => Object.keys(variables).map((variable) => ({ path, line, variable })))
  expect(shown.length).toBeGreaterThan(15)
  const everywhere = new Set([...tree].filter(([path]) => /\.(ts|tsx|mjs)$/.test(path)).flatMap(([, text]) => variablesRead(text)))
  expect(shown.filter(({ variable }) => !everywhere.has(variable))).toEqual([])
})

test('[DOC516] false files and variables are found', () => {
  expect(lostFiles(readDocument('README.md', 'see `gone.toml`, `edge/gone/`, `README.md` and `wrangler.toml`'), tree)).toHaveLength(2)
  expect(variablesNamed('BENCH_GONE=1 npm start with HOST and a-PORT')).toEqual(['BENCH_GONE', 'HOST'])
  expect(variablesRead('const { BENCH_A, BENCH_B = 1 } = process.env\nenv.BENCH_C // env.BENCH_D')).toEqual([
    'BENCH_C',
    'BENCH_A',
    'BENCH_B',
  ])
  expect(isGuide('shared/benchmarks/terminal_tasks/tasks/a/instruction.md')).toBe(false)
})
