import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentMetrics } from '../../shared/telemetry/agent-metrics.ts'
import type { LabelDef, MetricDef } from '../../shared/telemetry/metric-def.ts'
import { metricDefs, namesOf } from '../../shared/telemetry/metrics.ts'
import { serviceMetrics } from '../../shared/telemetry/service-metrics.ts'
import { readTree } from './source-tree.ts'
import { isForTests } from './tables.ts'

const root = join(import.meta.dirname, '..', '..')
const tables = [
  { title: 'Of an agent', told: 'At `/metrics` of each agent (`BENCH_METRICS`).', table: agentMetrics },
  {
    title: 'Of the service',
    told: 'At `/api/metrics`: over all runs and agents, and the same whichever isolate answers.',
    table: serviceMetrics,
  },
] as const

test('[OBS12] docs/metrics.md lists every metric as the table has it', async () => {
  const parts = tables.map(({ title, told, table }) => `## ${title}\n\n${told}\n\n${rowsOf(table)}`)
  const text = `# What is measured\n\nWritten from the tables in \`shared/telemetry/\`; CONTRIBUTING says how. A label in braces has these values, or at most so many and \`other\` for the rest.\n\n${parts.join('\n')}`
  await expect(text).toMatchFileSnapshot(join(root, 'docs', 'metrics.md'))
  expect(tables.flatMap(({ table }) => namesOf(table))).toEqual(namesOf(metricDefs))
})

test('[OBS12] every metric of the table is told somewhere', async () => {
  const tree = await readTree(root)
  const code = [...tree]
    .filter(([path]) => (/^(fleet|edge)\/.*\.ts$/.test(path) || path === 'shared/telemetry/run-progress.ts') && !isForTests(path))
    .map(([, text]) => text)
  expect(namesOf(metricDefs).filter((name) => !code.some((text) => text.includes(`'${name}'`)))).toEqual([])
})

function rowsOf(table: Record<string, MetricDef>): string {
  const rows = Object.entries(table).map(([name, { kind, unit, labels, help }]) => {
    const words = Object.entries(labels).map(([label, def]) => `\`${label}\` ${valuesOf(def)}`)
    return `| \`${name}\` | ${kind} | ${unit === 'none' ? '' : unit} | ${words.join(', ')} | ${help} |\n`
  })
  return `| name | kind | unit | labels | what it is |\n|---|---|---|---|---|\n${rows.join('')}`
}

function valuesOf(def: LabelDef): string {
  if ('most' in def) return `(${def.most})`
  return def.values.length > 8 ? '(a fixed list)' : `{${def.values.join(', ')}}`
}
