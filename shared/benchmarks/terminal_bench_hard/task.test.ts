import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { TaskRow } from '../../episode/task-row.ts'
import { rewardEvidence } from '../../episode/testing/evidence.ts'
import { agentVersion } from '../../run/agent-text.ts'
import { askedProfile, chooseAgent } from '../../run/choose-agent.ts'
import { listRows } from '../rows.ts'
import { openTask } from '../task.ts'
import { card } from './card.ts'
import { allTasks, wayOf } from './profiles.ts'
import task from './task.ts'

const sample: TaskRow[] = readFileSync(new URL('sample.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line))
const ids = card.profiles.map(({ id }) => id)
const profileOf = (id: string) => card.profiles.find((profile) => profile.id === id)!

/** The archive as it is: the tasks of all lists among others, each with the files of a sample. */
const archive = (names: readonly string[]): TaskRow[] =>
  [...names, 'hello-world', 'fix-git'].sort().map((name) => ({ ...sample[0]!, task: name, archive: 'terminal-bench-1-74221fb' }))

const namesOf = async (id: string, rows: readonly TaskRow[]): Promise<string[]> => {
  const profile = profileOf(id)
  const texts = Object.fromEntries(profile.texts.map((pin) => [pin.id, pin.id]))
  const opened = await openTask(task, { profile, texts, rows: { test: listRows(rows) } })
  return Promise.all(Array.from({ length: opened.count }, async (_, index) => (await opened.item(index, 0)).source_id ?? ''))
}

const all48 = Object.keys(await import('./lists.ts').then(({ manifestOf }) => manifestOf('tbh-48').digests))

test('[SCORE298] each profile asks its list in its order: the 44 of Artificial Analysis, NVIDIA’s 47, all 48', async () => {
  const rows = archive(all48)
  const lists = Object.fromEntries(await Promise.all(ids.map(async (id) => [id, await namesOf(id, rows)] as const)))
  const sizes = Object.fromEntries(ids.map((id) => [id, lists[id]!.length]))
  expect(sizes).toEqual({
    ...{ 'tbh-44': 44, 'tbh-44-aa': 44, 'tbh-44-xml': 44, 'tbh-44-terminus-1': 44, 'tbh-44-harbor': 44, 'tbh-47': 47, 'tbh-48': 48 },
    ...{ builtin: 44, command: 44, oracle: 48, nop: 48 },
  })
  for (const { id, total_items = card.total_items } of card.profiles) expect([id, total_items]).toEqual([id, sizes[id]])
  const [of44, of47, of48] = [lists['tbh-44']!, lists['tbh-47']!, lists['tbh-48']!]
  expect(of48.filter((name) => !of44.includes(name))).toEqual([
    'causal-inference-r',
    'install-windows-3.11',
    'lean4-proof',
    'mcmc-sampling-stan',
  ])
  expect(of48.filter((name) => !of47.includes(name))).toEqual(['super-benchmark-upet'])
  expect([of44, of47, of48].map((list) => list.toSorted().join())).toEqual([of44, of47, of48].map((list) => list.join()))
  expect([card.default_profile, profileOf('tbh-44').epochs, allTasks]).toEqual(['tbh-44', 3, 48])
})

test('[SCORE298] an archive that lacks a task of the list is refused, and tasks beside the list are not looked at', async () => {
  await expect(namesOf('tbh-44', archive(all48.filter((name) => name !== 'oom')))).rejects.toThrow('it lacks oom')
  expect(await namesOf('tbh-44', archive(all48.filter((name) => name !== 'lean4-proof')))).toHaveLength(44)
})

test('[SCORE298] four tasks whose own solution fails are told in the item and in the score, and left out of one figure', async () => {
  const profile = profileOf('tbh-48')
  const opened = await openTask(task, { profile, texts: {}, rows: { test: listRows(archive(all48)) } })
  const flawed: string[] = []
  for (let index = 0; index < opened.count; index++) {
    const item = await opened.item(index, 0)
    const { detail } = task.score(item, rewardEvidence([{}]), 'tbh-48', {} as never)
    expect(detail.errata).toBe(item.metadata.errata)
    if (item.metadata.errata) flawed.push(item.source_id!)
  }
  expect(flawed).toEqual(['feal-differential-cryptanalysis', 'install-windows-xp', 'make-doom-for-mips', 'run-pdp11-code'])
  expect(card.metrics).toContain('accuracy_without_errata')
})

test('[SCORE301] one profile has the bounds that Artificial Analysis is said to set; all others have the tasks’ own times', () => {
  expect(ids.filter((id) => wayOf(id).agent_timeout_ms !== undefined)).toEqual(['tbh-44-aa'])
  expect(wayOf('tbh-44-aa').agent_timeout_ms).toBe(86_400_000)
  expect(wayOf('toString')).toBe(wayOf('builtin'))
})

test('[SCORE305] the profile for commands asks the 44 with the command of the plan, and no other profile takes one', () => {
  const agent = { command: 'my-agent --go', install: 'apt-get install my-agent' }
  expect(wayOf('command')).toMatchObject({ list: 'tbh-44', form: 'terminal-bench', epochs: 3 })
  const worker = wayOf('command').worker({}, agent)
  expect([worker.name, worker.version, worker.asks]).toEqual(['command', agentVersion(agent), true])
  expect(chooseAgent({ agent }, card.name, askedProfile({ profile: null, agent })!)).toEqual(agent)
  expect(card.profiles.map(({ id }) => id)).toContain(askedProfile({ profile: null, agent }))
  for (const id of ids.filter((one) => one !== 'command')) expect(() => chooseAgent({ agent }, card.name, id)).toThrow('runs no command')
  expect(() => chooseAgent({ agent: null }, card.name, 'command')).toThrow('runs a command of yours')
})
