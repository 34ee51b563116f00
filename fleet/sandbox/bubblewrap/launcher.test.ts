import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { contractSpec } from '../sandbox.contract.ts'
import { createBubblewrap } from './open-bubblewrap.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const bubblewrap = await createBubblewrap('bwrap', groups)
const patience = 60_000
afterAll(() => bubblewrap.close())

/** Processes of this machine of which this is so. */
const processes = (file: 'status' | 'cmdline', holds: (text: string) => boolean): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return holds(readFileSync(`/proc/${pid}/${file}`, 'utf8'))
    } catch {
      return false
    }
  })
const children = (): string[] => processes('status', (text) => new RegExp(`^PPid:\\s+${process.pid}$`, 'm').test(text))
const marked = (mark: string): string[] => processes('cmdline', (text) => text.includes(mark))

test('[SBX34] a program begins with every signal at its default and gets its arguments as they are; one that is too long is denied', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const outcome = await bubblewrap.open(contractSpec, new AbortController().signal)
  if (!outcome.ok) throw new Error(outcome.failure.detail)
  await using box = outcome.value
  const run = (...argv: string[]) => box.exec({ argv: ['printf', '%s|', ...argv], timeout_ms: patience, output_bytes: 999_999 })
  const ignored = await box.exec({ argv: ['grep', '^SigIgn', '/proc/self/status'], timeout_ms: patience, output_bytes: 99 })
  expect(new TextDecoder().decode(ignored.stdout)).toMatch(/^SigIgn:\s+0+$/m)
  const every = Array.from({ length: 255 }, (_, index) => String.fromCodePoint(index + 1)).join('')
  const odd = ["it's", '', '$(id)', '`id`', '-x', '*', '; id', 'a\nb\n', '\\', "'\\''", 'z\u{1F600}\u4e2d', every]
  expect(new TextDecoder().decode((await run(...odd)).stdout)).toBe(odd.map((one) => `${one}|`).join(''))
  expect((await run('x'.repeat(131_000))).stdout.length).toBe(131_001)
  expect((await run('x'.repeat(200_000))).end).toBe('denied')
  expect((await run(...Array.from({ length: 40 }, () => 'x'.repeat(100_000)))).end).toBe('denied')
  expect((await run('after')).end).toBe('exited')
})

test('[SBX35] when what starts programs is killed, those that ran are unavailable, and the next sandbox opens', {
  timeout: patience,
}, async (context) => {
  context.skip(absent !== false, String(absent))
  const others = new Set(children())
  const own = await createBubblewrap('bwrap', groups)
  const openOwn = () => own.open(contractSpec, new AbortController().signal)
  const [first, second] = [await openOwn(), await openOwn()]
  if (!first.ok || !second.ok) throw new Error('no sandbox opens')
  const mark = `lost${process.pid}`
  const running = first.value.exec({ argv: ['sh', '-c', 'sleep 99; :', mark], timeout_ms: patience, output_bytes: 9 })
  await expect.poll(() => marked(mark).length).toBeGreaterThanOrEqual(3)
  const fresh = children().filter((pid) => !others.has(pid))
  expect(fresh.length).toBe(1)
  process.kill(Number(fresh[0]), 'SIGKILL')
  expect((await running).end).toBe('unavailable')
  expect((await second.value.exec({ argv: ['true'], timeout_ms: patience, output_bytes: 9 })).end).toBe('unavailable')
  await first.value[Symbol.asyncDispose]()
  await second.value[Symbol.asyncDispose]()
  const third = await openOwn()
  if (!third.ok) throw new Error(third.failure.detail)
  expect((await third.value.exec({ argv: ['true'], timeout_ms: patience, output_bytes: 9 })).end).toBe('exited')
  await third.value[Symbol.asyncDispose]()
  own.close()
  expect(marked(mark)).toEqual([])
})
