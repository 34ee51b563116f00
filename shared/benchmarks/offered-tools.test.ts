import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { offeringTools } from '../run/offers-tools.ts'
import { cards } from './cards.ts'

const itemsOf = (name: string): string => readFileSync(join(import.meta.dirname, name, 'items.jsonl'), 'utf8')

test('[PROV354] the benchmarks that offer tools are those whose items have any, and the dialogues', () => {
  const names = cards.map(({ name }) => name as string)
  const janus = names.filter((name) => name.startsWith('janus_') && /"(?:available_tools|simulated)"/.test(itemsOf(name)))
  expect([...offeringTools].toSorted()).toEqual([...janus, 'tau2_bench_telecom'].toSorted())
})
