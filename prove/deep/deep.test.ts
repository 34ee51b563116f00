import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { changedFiles } from './changed-files.ts'
import { deepParts, touchedBy } from './parts.ts'
import { outcomeLines, playParts } from './play-parts.ts'

const root = resolve(import.meta.dirname, '..', '..')
const part = (name: string, brief: string[] | null = ['brief']) => ({ name, touches: [], args: ['whole'], brief, minutes: 1 })

test('[CHECK453] a change chooses the parts of its folders, and one of documents chooses none', () => {
  const names = (...files: string[]) => touchedBy(files).map(({ name }) => name)
  expect(names('shared/secrets/redactor.ts')).toEqual(['draws of shared/secrets', 'journeys of full size'])
  expect(names('db/store.ts', 'shared/run/decide.ts')).toEqual([
    'draws of shared/run',
    'seeds',
    'planted bugs',
    'chaos',
    'mutants of the run core',
  ])
  expect(names('README.md', 'docs/metrics.md')).toEqual([])
})

test('[CHECK453] every folder and program that a part names is there', () => {
  for (const { name, touches, args } of deepParts) {
    for (const path of [...touches, args[0]!]) expect(existsSync(join(root, path)), `${name}: ${path}`).toBe(true)
  }
})

test('[CHECK453] parts that the time does not allow, or that have no brief form, are named and are no failure; a failed part is one', async () => {
  let clock = 0
  const ran: string[] = []
  const run = async ({ name }: { name: string }, args: readonly string[]) => {
    ran.push(`${name} ${args[0]}`)
    clock += 40_000
    return name === 'b' ? 'exit code 1' : null
  }
  const parts = [part('a'), part('long', null), part('b'), part('c')]
  const outcomes = await playParts(parts, run, { brief: true, limitMs: 100_000, now: () => clock })
  // Each of them may take a minute: 20 s are left when the turn of the last one comes.
  expect(ran).toEqual(['a brief', 'b brief'])
  expect(outcomeLines(outcomes)).toEqual(['ok  a  40.0 s', 'not run  long', 'FAILED  b  40.0 s: exit code 1', 'not run  c'])
})

test('[CHECK453] a change is what differs from the commit before, uncommitted files included; an unknown commit is an error', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bench-deep-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const git = (...args: string[]) => spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: dir })
  git('init', '-q')
  for (const name of ['one', 'two']) {
    writeFileSync(join(dir, name), name)
    git('add', '.')
    git('commit', '-qm', name)
  }
  expect(changedFiles(dir)).toEqual(['two'])
  writeFileSync(join(dir, 'one'), 'changed')
  expect(changedFiles(dir)).toEqual(['one', 'two'])
  expect(changedFiles(dir, 'HEAD')).toEqual(['one'])
  expect(() => changedFiles(dir, 'nowhere')).toThrow('git cannot compare with nowhere')
})
