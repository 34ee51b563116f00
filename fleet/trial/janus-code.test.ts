import { afterAll, expect, test } from 'vitest'
import { runCases } from '#shared/janus/code-cases.ts'
import { executeCode } from '#shared/janus/execute-code.ts'
import { janusSandbox } from '#shared/janus/sandbox-room.ts'
import type { Sandbox } from '#shared/solvers/sandbox.ts'
import { pythonBoxes } from './testing/python-box.ts'

const boxes = await pythonBoxes()
afterAll(() => boxes.close())
const inSandbox = { timeout: 90_000, skip: boxes.absent !== false }
const within = <T>(use: (box: Sandbox) => Promise<T>): Promise<T> => boxes.within(janusSandbox, use)

const doubled = {
  function_name: 'f',
  test_cases: [
    { input: [2], output: 4 },
    { input: [0.1], output: 0.2 },
    { input: [[1]], output: [1, 1] },
  ],
}
const fenced = (code: string): string => `So:\n\`\`\`python\n${code}\n\`\`\`\nDone.`

test('[JANUS21] an answer’s function is run on every input and compared outside as Python compares', inSandbox, async () => {
  const run = (code: string, version: 'v1' | 'v2' = 'v2', cases = doubled) =>
    within(async (box) => {
      const ran = await runCases(box, fenced(code), cases, version, 'nonce')
      if (!ran.ok) throw new Error(ran.failure.detail)
      return [ran.value.end, ...ran.value.cases]
    })
  expect(await run('def f(x):\n    return x * 2')).toEqual(['passed', true, true, true])
  expect(await run('def f(x):\n    return (x, x)')).toEqual(['failed', false, false, false])
  expect(await run('print("noise")\ndef f(x):\n    if x == 2: raise ValueError("no")\n    return x + x')).toEqual([
    'failed',
    false,
    true,
    true,
  ])
  expect((await run('def f(x):\n    return x * 2 if x != 0.1 else 0.3')).slice(1)).toEqual([true, false, true])
  expect((await run('def g(x): return x')).slice(1)).toEqual([false, false, false])
  expect((await run('import os\nos._exit(3)')).slice(1)).toEqual([false, false, false])
  const fact = { function_name: 'f', test_cases: [{ input: [5], output: 120 }] }
  const recursive = 'def f(n):\n    return 1 if n < 2 else n * f(n - 1)'
  expect([await run(recursive, 'v2', fact), await run(recursive, 'v1', fact)]).toEqual([
    ['passed', true],
    ['failed', false],
  ])
})

test('[JANUS21] no program reads what is expected, and one that never ends has no right cases', inSandbox, async () => {
  const secret = { function_name: 'f', test_cases: [{ input: [1], output: 'secret-word' }] }
  const looks =
    'import sys, gc\ndef f(x):\n    seen = [o for o in gc.get_objects() if isinstance(o, dict) and "output" in o]\n    return "secret-word" if seen or "secret" in sys.stdin.read() else "none"'
  const found = await within((box) => runCases(box, fenced(looks), secret, 'v2', 'n'))
  expect(found).toMatchObject({ ok: true, value: { cases: [false] } })
  const endless = await within((box) => runCases(box, fenced('while True: pass'), secret, 'v2', 'n', 1_000))
  expect(endless).toMatchObject({ ok: true, value: { end: 'timeout', cases: [false] } })
})

test('[JANUS21] code_execute gives what Python wrote; what is no Python is refused in words', inSandbox, async () => {
  const [right, wrong] = await within(async (box) => [
    await executeCode(box, JSON.stringify({ language: 'python', code: 'print(6 * 7)' })),
    await executeCode(box, JSON.stringify({ code: '1/0' })),
  ])
  expect(right).toEqual({ ok: true, value: { result: '{"output":"42\\n","errors":"","exit_code":0}', is_error: false } })
  expect(wrong).toMatchObject({ ok: true, value: { is_error: true, result: expect.stringContaining('ZeroDivisionError') } })
  const box = { exec: () => Promise.reject(new Error('not to be asked')), read: async () => null, write: async () => 'written' as const }
  for (const given of ['{}', '[', '{"code": "x", "language": "ruby"}'])
    expect(await executeCode(box, given)).toMatchObject({ ok: true, value: { is_error: true } })
})
