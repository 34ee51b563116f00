import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { flagMeaning, flagName, remarkable } from './flag-meaning.ts'

test('[UI25] a flag says what it means; an unknown one says its name', () => {
  expect(flagMeaning('truncated')).toContain('token limit')
  expect([flagMeaning('level_1'), flagMeaning('level_3')]).toEqual([
    expect.stringContaining('stated as asked'),
    expect.stringContaining('fallback pattern 3'),
  ])
  expect(flagMeaning('new_moon')).toBe('new moon')
})

test('[UI25] no flag that a scorer of ours sets is shown by its own name', () => {
  const folder = join(import.meta.dirname, '../../../shared/benchmarks')
  const golden = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('golden.jsonl'))
  expect(golden.length).toBeGreaterThan(3)
  const lines = golden.flatMap((path) => readFileSync(join(folder, path), 'utf8').trim().split('\n'))
  const flags = new Set(lines.flatMap((line) => (JSON.parse(line) as { score?: { flags?: string[] } }).score?.flags ?? []))
  expect(flags.size).toBeGreaterThan(4)
  expect([...flags].filter((flag) => flagName(flag) === flag.replaceAll('_', ' '))).toEqual([])
})

test('[UI25] an answer that was read as asked is no remark', () => {
  expect(['level_1', 'level_2', 'truncated'].filter(remarkable)).toEqual(['level_2', 'truncated'])
})
