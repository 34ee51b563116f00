import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { agentVariables } from '#fleet/agent-variables.ts'
import { resolveImport } from '../architecture/resolve-import.ts'
import { parseTree, readTree } from '../architecture/source-tree.ts'
import { variablesRead } from './variables.ts'

const root = join(import.meta.dirname, '..', '..')
const entries = ['fleet/cli/commands/agent.ts', 'fleet/proxy/use-proxies.ts']

/** Variables that no operator sets for an agent, each with who does. */
const notForOperators: Readonly<Record<string, string>> = {
  PATH: 'the system',
  HOME: 'the system',
  BENCH_EXEC: 'marks the processes of a command in a container',
  VERSION: 'the image, when it is built',
  MAX_TOKENS: 'nobody: a finish reason of Gemini',
}

/** What the modules of `bench agent` read from their environment. */
async function readByAgents(): Promise<Set<string>> {
  const tree = await readTree(root)
  const isCode = (path: string) => /^(fleet|shared)\/.*\.ts$/.test(path) && !path.endsWith('.test.ts')
  const sources = new Map(parseTree(new Map([...tree].filter(([path]) => isCode(path)))).map((source) => [source.path, source]))
  const reached = new Set<string>()
  const open = [...entries]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (reached.has(path)) continue
    reached.add(path)
    for (const { specifier, typeOnly } of sources.get(path)?.imports ?? []) {
      const target = resolveImport(path, specifier)
      if (!typeOnly && target.kind === 'path') open.push(target.path)
    }
  }
  expect(reached.size).toBeGreaterThan(400)
  // The list itself is no reader.
  return new Set([...reached].filter((path) => path !== 'fleet/agent-variables.ts').flatMap((path) => variablesRead(tree.get(path) ?? '')))
}

test('[FLEETUP1] agentVariables names every variable that the modules of bench agent read, and no other', async () => {
  const read = await readByAgents()
  expect([...read].filter((name) => notForOperators[name] === undefined).sort()).toEqual([...agentVariables].sort())
  expect(Object.keys(notForOperators).filter((name) => !read.has(name))).toEqual([])
})

test('[FLEETUP1] fleet.compose.yml passes every one of them on; two belong to a single agent', () => {
  const { services } = parse(readFileSync(join(root, 'fleet.compose.yml'), 'utf8')) as {
    services: { agent: { environment: Record<string, string | null> } }
  }
  const apart = ['BENCH_AGENT_ID', 'BENCH_URL'] // the container's name; BENCH_EDGE_URL is required
  expect(Object.keys(services.agent.environment).sort()).toEqual(agentVariables.filter((name) => !apart.includes(name)).sort())
})
