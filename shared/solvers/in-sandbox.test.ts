import { expect, test } from 'vitest'
import { requireTool } from './in-sandbox.ts'
import type { ExecResult, Sandbox } from './sandbox.ts'

const boxOf = (became: Partial<ExecResult>): Sandbox => ({
  exec: async () => ({ end: 'exited', exit_code: 0, stdout: new Uint8Array(), stderr: new Uint8Array(), ...became }),
  read: async () => null,
  write: async () => 'written',
})
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

test('[SBX29] a program tells its version by the first line it says; one that is missing or broken is a failure that names it and its packages', async () => {
  expect(await requireTool(boxOf({ stdout: bytes('Python 3.11.2\nmore') }), ['python3', '-V'], 'python3')).toEqual({
    ok: true,
    value: 'Python 3.11.2',
  })
  expect(await requireTool(boxOf({ stderr: bytes('old 2.7\n') }), ['python', '-V'], 'python')).toEqual({ ok: true, value: 'old 2.7' })
  const rows: [Partial<ExecResult>, string][] = [
    [{ end: 'denied', exit_code: null }, 'go version is not there'],
    [{ exit_code: 127 }, 'go version ended with exit code 127'],
    [{ end: 'timeout', exit_code: null }, 'go version ended as timeout'],
  ]
  for (const [became, how] of rows) {
    const detail = `This agent's sandbox has no working go: ${how}. Install golang-go on the agent or in its image.`
    expect(await requireTool(boxOf(became), ['go', 'version'], 'golang-go')).toEqual({
      ok: false,
      failure: { at: 'sandbox', reason: 'unavailable', retryable: true, status: null, detail },
    })
  }
})
