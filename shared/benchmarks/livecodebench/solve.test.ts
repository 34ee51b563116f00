import { expect, test } from 'vitest'
import type { Item } from '../../contract/item.ts'
import type { Kit } from '../../solvers/kit.ts'
import type { ExecRequest, ExecResult, Sandbox, SandboxSpec } from '../../solvers/sandbox.ts'
import { scriptedKit } from '../../solvers/testing/scripted-kit.ts'
import type { HiddenTests } from './hidden-tests.ts'
import { solveLcb } from './solve.ts'

const messages = [{ role: 'user' as const, content: 'Double it.' }]
const item: Item = { item_id: '0', source_id: 'q', item_hash: 'h', group: 'easy', messages, target: 'all tests passed', metadata: {} }
const hidden: HiddenTests = { inputs: ['1\n', '2\n'], outputs: ['secret two', 'secret four'], fn_name: null }
const answer = 'Here:\n```python\nprint(2 * int(input()))\n```'
const nothing: ExecResult = { end: 'exited', exit_code: 0, stdout: new Uint8Array(), stderr: new Uint8Array() }
type Job = { nonce: string; program: string; inputs: string[]; fn_name: string | null; seconds: number }
const jobOf = ({ stdin }: ExecRequest): Job => JSON.parse(new TextDecoder().decode(stdin))

/** A kit whose sandbox does as it is told. */
function kitWith(said: string, exec: (request: ExecRequest) => Partial<ExecResult>, more: Partial<Kit> = {}) {
  const execs: ExecRequest[] = []
  const specs: SandboxSpec[] = []
  const box: Sandbox = {
    async exec(request) {
      execs.push(request)
      return { ...nothing, ...exec(request) }
    },
    read: async () => null,
    write: async () => 'written',
  }
  const sandbox: Kit['sandbox'] = async (spec) => {
    specs.push(spec)
    return { ok: true, value: box }
  }
  const kit: Kit = { ...scriptedKit({ model: [said] }), hidden: async () => ({ ok: true, value: hidden }), sandbox, ...more }
  return { kit, execs, specs }
}
const says =
  (...frames: unknown[]) =>
  (request: ExecRequest) => {
    const { nonce } = jobOf(request)
    return { stdout: new TextEncoder().encode(frames.map((frame) => `\n${nonce}${JSON.stringify(frame)}\n`).join('')) }
  }

test('[SCORE174] a program runs once on all inputs, with the official limits, and the sandbox sees nothing of what is expected', async () => {
  const frames = [['ready', '3.11.2'], ['wrote', 'secret two\n', 0.1], ['wrote', 'secret four', 0.1], ['end']]
  const { kit, execs, specs } = kitWith(answer, says(...frames))
  const solved = await solveLcb(item, kit)
  expect(specs).toEqual([{ image: null, cpus: 1, memory_mb: 4096, disk_mb: 64, network: false }])
  expect(execs).toHaveLength(1)
  expect(execs[0]!.timeout_ms).toBe((7 * 2 + 5) * 1000 + 3000)
  expect(jobOf(execs[0]!)).toMatchObject({ program: 'print(2 * int(input()))', inputs: hidden.inputs, fn_name: null, seconds: 6 })
  expect(JSON.stringify(execs[0]!.argv) + new TextDecoder().decode(execs[0]!.stdin)).not.toContain('secret')
  expect(solved).toMatchObject({
    ok: true,
    value: {
      kind: 'tests',
      text: answer,
      parts: [{ program: 'print(2 * int(input()))', total: 2, tests: [{ end: 'passed' }, { end: 'passed' }] }],
    },
  })
  expect(solved.ok && solved.value.parts[0]!.output).toBe('Python 3.11.2; official result: [True, True]')
})

test('[SCORE174] reasoning before the answer is not searched for a program', async () => {
  const { kit, execs } = kitWith(`<think>\n\`\`\`\nold\n\`\`\`\n</think>\n${answer}`, says(['ready', '']))
  await solveLcb(item, kit)
  expect(jobOf(execs[0]!).program).toBe('print(2 * int(input()))')
})

test('[SCORE174] an answer without a program is wrong without a sandbox', async () => {
  for (const said of ['<think>\n```\nold\n```\n</think>\nNo program.', 'I do not know.', '', '```\n \n```', '```python\nprint(1)']) {
    const { kit, specs } = kitWith(said, () => expect.unreachable())
    const solved = await solveLcb(item, kit)
    expect(specs).toEqual([])
    expect(solved).toMatchObject({ ok: true, value: { parts: [{ program: null, total: 2, tests: [{ end: 'error' }] }] } })
  }
})

test('[SCORE175] what hinders the test is a failure and never a score: no sandbox, one that vanishes, no Python, tests that cannot be read', async () => {
  const failure = { at: 'sandbox' as const, reason: 'unavailable' as const, retryable: true, status: null, detail: 'none' }
  const torn = { at: 'dataset' as const, reason: 'bad-record' as const, retryable: false, status: null, detail: 'torn' }
  const reached = (exec: (request: ExecRequest) => Partial<ExecResult>, more: Partial<Kit> = {}) =>
    solveLcb(item, kitWith(answer, exec, more).kit)
  const refused = async () => ({ ok: false as const, failure })
  expect(await reached(() => expect.unreachable(), { sandbox: refused })).toEqual({ ok: false, failure })
  expect(await reached(() => expect.unreachable(), { hidden: async () => ({ ok: false, failure: torn }) })).toEqual({
    ok: false,
    failure: torn,
  })
  const vanished = says(['ready', ''], ['wrote', 'secret two', 0])
  expect(await reached((request) => ({ ...vanished(request), end: 'unavailable' }))).toMatchObject({
    ok: false,
    failure: { at: 'sandbox' },
  })
  expect(await reached(() => ({ end: 'denied', exit_code: null }))).toMatchObject({
    failure: { at: 'sandbox', detail: expect.stringContaining('Python 3.10 or later') },
  })
  for (const end of ['timeout', 'out-of-memory', 'output-limit', 'exited'] as const)
    expect(await reached(({ stdin }) => (stdin ? { end, exit_code: end === 'exited' ? 1 : null } : {}))).toMatchObject({
      failure: { at: 'sandbox', reason: 'unavailable', detail: expect.stringContaining('did not begin') },
    })
})

test('[SCORE175] a limit that the program met is its own doing', async () => {
  for (const end of ['timeout', 'out-of-memory', 'output-limit', 'disk-full', 'denied'] as const) {
    const { kit } = kitWith(answer, (request) => ({ ...says(['ready', ''])(request), end, exit_code: null }))
    expect(await solveLcb(item, kit)).toMatchObject({
      ok: true,
      value: { parts: [{ tests: [{ end, message: expect.stringContaining('-2') }] }] },
    })
  }
})
