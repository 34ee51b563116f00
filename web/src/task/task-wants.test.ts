import { expect, test } from 'vitest'
import type { TaskFacts } from '#shared/contract/task-upload.ts'
import { originFacts, wantedFacts, whatHinders } from './task-wants.ts'

const step = { name: null, agent_timeout_s: 900, verifier_timeout_s: 60, has_solution: true, verifier: 'shared' } as const
const facts: TaskFacts = {
  harbor_name: 'chutes/count-lines',
  schema_version: '1.4',
  description: '',
  category: 'text',
  difficulty: null,
  keywords: [],
  instruction: 'Count.',
  instruction_cut: false,
  image: null,
  compose: false,
  build_timeout_s: 300,
  cpus: 1,
  memory_mb: 2048,
  storage_mb: null,
  network: 'no-network',
  steps: [step],
  reward_strategy: null,
  files: 5,
  unpacked_bytes: 2048,
  not_runnable: [
    { reason: 'gpus', concerns: 'all', key: 'environment.gpus', text: 'no GPU' },
    { reason: 'skills', concerns: 'models', key: 'environment.skills_dir', text: 'no skills' },
  ],
  warnings: [],
}

test('[UI131] what a task wants is listed with units, and what it leaves open is said to be open', () => {
  expect(Object.fromEntries(wantedFacts(facts))).toEqual({
    CPU: '1 core',
    Memory: '2 GB',
    Disk: 'as the host gives',
    Network: 'none',
    Image: 'built from its Dockerfile',
    Build: 'at most 5 min 00 s',
    'Solver’s time': '15 min 00 s',
    'Tests’ time': '1 min 00 s',
    'Tests run in': 'the same machine',
    Steps: '1',
    Solution: 'included',
  })
  const file = { original_filename: 'count.zip', file_size: 1500, checksum: 'ab'.repeat(32), sha256: 'cd'.repeat(32) }
  expect(Object.fromEntries(originFacts(file, facts))).toMatchObject({
    Archive: 'count.zip, 1.5 KiB',
    Files: '5, 2.0 KiB unpacked',
    Difficulty: '–',
  })
})

test('[UI131] what steps share is said once, and else by the name of each', () => {
  const steps = [
    { ...step, name: 'one' },
    { ...step, name: 'two', agent_timeout_s: null, has_solution: false, verifier: 'separate' as const },
  ]
  expect(Object.fromEntries(wantedFacts({ ...facts, image: 'debian:12', steps, reward_strategy: 'final' }))).toMatchObject({
    Image: 'debian:12',
    'Solver’s time': 'one 15 min 00 s, two no limit',
    'Tests’ time': '1 min 00 s',
    'Tests run in': 'one the same machine, two a machine of their own',
    Steps: '2, the last one’s reward counts',
    Solution: 'one included, two none: the oracle has nothing to do',
  })
})

const agent = (id: string, asks: boolean) => ({ id, name: id, harness: 'harbor', asks }) as const

test('[UI131] what hinders models only does not hinder a solver that asks none, and the oracle needs a solution', () => {
  const [gpus, skills] = facts.not_runnable
  const with_ = (not_runnable: TaskFacts['not_runnable'], has_solution = true) => ({ not_runnable, steps: [{ ...step, has_solution }] })
  expect(whatHinders(with_([gpus!]), agent('nop', false))).toBe('Cannot run here')
  expect(whatHinders(with_([skills!]), agent('nop', false))).toBeUndefined()
  expect(whatHinders(with_([skills!]), agent('terminus-2', true))).toBe('Cannot run here')
  expect(whatHinders(with_([], false), agent('oracle', false))).toBe('No solution to run')
  expect(whatHinders(with_([], false), agent('nop', false))).toBeUndefined()
})
