import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { card } from '../benchmarks/tau2_bench_telecom/card.ts'
import telecom from '../benchmarks/tau2_bench_telecom/task.ts'
import { openLists } from '../benchmarks/testing/open-lists.ts'
import { said } from '../solvers/testing/said.ts'
import { scriptedKit } from '../solvers/testing/scripted-kit.ts'

const linesOf = (name: string): unknown[] =>
  readFileSync(new URL(`../benchmarks/${card.name}/${name}.jsonl`, import.meta.url), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

test('[RUN119] no dialogue of τ²-bench asks a model more often than its profile says, whoever talks or calls without end', async () => {
  const profile = card.profiles.find(({ id }) => id === 'builtin')!
  const rows = { test: linesOf('sample'), splits: linesOf('sample.splits'), databases: linesOf('sample.databases') }
  const opened = await openLists(telecom, { profile, texts: {}, rows })
  const item = await opened.item(0, 0)
  const hidden = async () => ({ ok: true as const, value: await opened.hidden!(0) })
  const looks = { ...said(''), tool_calls: [{ id: null, name: 'check_status_bar', arguments: '{}' }] }
  const asked = async (model: typeof looks | string, player: typeof looks | string) => {
    const kit = { ...scriptedKit({ model: () => model, user: () => player }, { user: {} }), hidden }
    await telecom.solver(profile.id, {})(item, kit)
    return [kit.asked.model.length, kit.asked.user.length]
  }
  expect([await asked('So?', 'Well.'), await asked('So?', looks)]).toEqual([
    [100, 100],
    [0, 100],
  ])
  expect(card.profiles.map(({ id, rounds: own }) => [id, own?.most])).toEqual([
    ['official-2.0', 100],
    ['official-2026', 100],
    ['aa', 50],
    ['builtin', 100],
  ])
})
