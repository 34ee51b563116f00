import fc from 'fast-check'
import { expect, test } from 'vitest'
import { listRows } from '../benchmarks/rows.ts'
import { everyRow } from '../benchmarks/survey.ts'
import { BadRecord } from '../benchmarks/task.ts'
import { card } from '../benchmarks/terminal_tasks/card.ts'
import task from '../benchmarks/terminal_tasks/task.ts'
import { mostTerminalOutput } from '../contract/evidence/reward.ts'
import { loadTask } from '../harbor/load-task.ts'
import { plainTask, tree } from '../harbor/testing/task-files.ts'
import { scriptedKit } from '../solvers/testing/scripted-kit.ts'
import { excerpt } from './grade-tests.ts'
import { giveArtifacts, takeArtifacts } from './hand-over.ts'
import { imagesOf } from './machine-spec.ts'
import { filesOf, TaskRow, toTaskRow } from './task-row.ts'
import { type Answer, fileMachine, write } from './testing/file-machine.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test('[EPI14] of an output evidence has the beginning and the end, in a length that it can hold, and says what is left out', () => {
  expect(excerpt(bytes('all of it'), bytes(''), 0)).toBe('all of it')
  expect(excerpt(bytes('first'), bytes('last'), 7)).toBe('first\n[7 bytes left out]\nlast')
  const long = excerpt(bytes(`A${'x'.repeat(50_000)}`), bytes(`${'y'.repeat(50_000)}Z`), 3)
  expect(long.length).toBeLessThanOrEqual(mostTerminalOutput)
  expect(long).toMatch(/^Ax+\n\[\d+ characters left out\]\ny+Z$/)
})

test('[EPI15] files of any bytes come back from a row as they were, in the order of their paths', () => {
  const file = fc.record({ path: fc.stringMatching(/^[a-z/]{1,8}$/), mode: fc.constantFrom(0o644, 0o755), bytes: fc.uint8Array() })
  fc.assert(
    fc.property(fc.uniqueArray(file, { selector: ({ path }) => path, minLength: 1 }), (files) => {
      const row = TaskRow.parse(JSON.parse(JSON.stringify(toTaskRow('a', files))))
      const sorted = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
      expect(filesOf(row).map((one) => ({ ...one, bytes: [...one.bytes] }))).toEqual(
        sorted.map((one) => ({ ...one, bytes: [...one.bytes] })),
      )
    }),
  )
  expect(toTaskRow('a', tree({ 'a.sh': 'x' }))).toEqual({ task: 'a', files: [{ path: 'a.sh', mode: 0o755, text: 'x' }] })
})

const row = toTaskRow(
  'a',
  tree({ ...plainTask, 'instruction.md': 'What is asked.\n', 'tests/test.sh': 'the TESTS', 'solution/solve.sh': 'the SOLUTION' }),
)

test('[EPI16] an item shows what is asked and what the task takes; tests, solution and environment are the solver’s alone', async () => {
  const profile = card.profiles[0]!
  const opened = await task.open({ profile, texts: {}, rows: { test: listRows([row]) }, survey: everyRow })
  const item = await opened.item(0, 0)
  expect(item).toMatchObject({ item_id: '0', source_id: 'a', target: '1', messages: [{ role: 'user', content: 'What is asked.\n' }] })
  expect(JSON.stringify(item)).not.toMatch(/TESTS|SOLUTION|FROM scratch/)
  expect(JSON.stringify(await opened.hidden!(0))).toMatch(/SOLUTION.*TESTS/)
  const bad = await task.open({ profile, texts: {}, rows: { test: listRows([{ ...row, files: row.files.slice(1) }]) }, survey: everyRow })
  await expect(Promise.resolve(bad.item(0, 0))).rejects.toThrow(BadRecord)
})

test('[EPI16] a task that cannot run here is a failure that names what it wants, and no machine is asked for', async () => {
  const gpus = toTaskRow('a', tree({ ...plainTask, 'task.toml': 'schema_version = "1.4"\n[environment]\ngpus = 1\n' }))
  const kit = { ...scriptedKit({}), hidden: async () => ({ ok: true as const, value: gpus }) }
  const outcome = await task.solver('nop', {})({} as never, kit) // the solver reads what is hidden, not the item
  expect(outcome).toMatchObject({ ok: false, failure: { at: 'sandbox', reason: 'task-refused', retryable: false } })
  expect(outcome.ok || outcome.failure.detail).toContain('environment.gpus')
})

/** The only step of a task with these artifacts and hooks. */
function stepWith(toml: string) {
  const loaded = loadTask('a', tree({ ...plainTask, 'task.toml': `schema_version = "1.4"\n${toml}` }))
  if (!loaded.ok) throw new Error(loaded.problems[0].text)
  return loaded.task.steps[0]
}
const keeping = () => {
  const kept: string[] = []
  const keep = async ({ name, kind, media_type }: { name: string; kind: never; media_type: string }) => {
    kept.push(name)
    return { ok: true as const, value: { name, kind, media_type, bytes: 1, sha256: '0'.repeat(64) as never } }
  }
  const kit = { ...scriptedKit({}), keep: keep as never } // it is asked for one archive alone
  return { kit, kept }
}

test('[EPI11] what is handed over is what the task names without what it excludes, kept as one archive and put back in its place', async () => {
  const step = stepWith('artifacts = ["/app/out.txt", { source = "/data", exclude = ["*.tmp", "cache"] }, "/none"]\n')
  const { machine, files } = fileMachine(() => undefined)
  for (const path of ['/app/out.txt', '/app/other', '/data/a', '/data/b.tmp', '/data/x/cache/c', '/data/caches']) write(files, path, path)
  const { kit, kept } = keeping()
  const taken = await takeArtifacts(step, machine, kit, 'artifacts.zip')
  if (!taken.ok) throw new Error(taken.failure.detail)
  expect(taken.value.map(({ artifact, files: found, why }) => [artifact.source, found?.map(({ path }) => path) ?? null, why])).toEqual([
    ['/logs/artifacts', null, 'absent'],
    ['/app/out.txt', ['out.txt'], null],
    ['/data', ['a', 'caches'], null],
    ['/none', null, 'absent'],
  ])
  expect(kept).toEqual(['artifacts.zip'])
  const fresh = fileMachine(() => undefined)
  expect(await giveArtifacts(taken.value, fresh.machine)).toEqual({ ok: true, value: null })
  expect([...fresh.files.keys()]).toEqual(['/app/out.txt', '/data/a', '/data/caches'])
})

test('[EPI11] what is unsafe or too large is told and not taken; a hook that fails is told of; a machine that is gone is a failure', async () => {
  const step = stepWith('artifacts = ["/bad", "/app"]\n[[verifier.collect]]\ncommand = "exit 3"\n')
  const { machine, files } = fileMachine((argv): Answer | undefined => (argv.at(-1) === 'exit 3' ? [3, ''] : undefined))
  write(files, '/app/a', 'a')
  const unsafe = {
    ...machine,
    download: async (path: string, most: number) =>
      path === '/bad' ? ({ ok: false, reason: 'unsafe', entry: 'link' } as const) : machine.download(path, most),
  }
  const { kit } = keeping()
  const taken = await takeArtifacts(step, unsafe, kit, 'artifacts.zip')
  expect(taken.ok && taken.value.map(({ why }) => why)).toEqual(['absent', 'unsafe', null])
  expect(kit.notes).toEqual(['The hook exit 3 ended as exited 3.', '/bad was not taken: unsafe.'])
  const gone = { ...machine, download: async () => ({ ok: false, reason: 'unavailable' }) as const }
  expect(await takeArtifacts(step, gone, kit, 'a.zip')).toMatchObject({ ok: false, failure: { reason: 'unavailable', retryable: true } })
})

test('[EPI42] the machines of an episode start from the image of who works, those beside it, and those of verifiers of their own', async () => {
  const imagesIn = (toml: string, more: Record<string, string> = {}) => {
    const loaded = loadTask('a', tree({ ...plainTask, 'task.toml': `schema_version = "1.4"\n${toml}`, ...more }))
    if (!loaded.ok) throw new Error(loaded.problems[0].text)
    return imagesOf(loaded.task, new Map()).map((image) =>
      image.type === 'named' ? image.name : image.context.map(({ path }) => path).join(),
    )
  }
  const apart = '[environment]\ndocker_image = "works:1"\n[verifier]\nenvironment_mode = "separate"\n'
  expect(imagesIn('[environment]\ndocker_image = "works:1"\n')).toEqual(['works:1'])
  expect(imagesIn('')).toEqual(['Dockerfile'])
  expect(imagesIn(`${apart}[verifier.environment]\ndocker_image = "grades:1"\n`)).toEqual(['works:1', 'grades:1'])
  const compose = 'services:\n  main: {}\n  db:\n    image: "db:1"\n'
  expect(imagesIn('[environment]\ndocker_image = "works:1"\n', { 'environment/docker-compose.yaml': compose })).toEqual(['works:1', 'db:1'])
  expect(imagesIn('[environment]\ndocker_image = "works:1"\nos = "windows"\n', { 'tests/test.bat': '' })).toEqual([])
  const row = toTaskRow('a', tree({ ...plainTask, 'task.toml': 'schema_version = "1.4"\n[environment]\ndocker_image = "works:1"\n' }))
  const opened = await task.open({ profile: card.profiles[0]!, texts: {}, rows: { test: listRows([row]) }, survey: everyRow })
  expect(await opened.images!(0)).toMatchObject([{ type: 'named', name: 'works:1' }])
})
