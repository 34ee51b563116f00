import { spawn } from 'node:child_process'
import type { Machine, MachineExec, MachineExecResult } from '#shared/solvers/machine.ts'

/** Runs commands on this host, in a folder and with a home of their own, in place of a machine: for tests of what only needs programs that are here. */
export function hostMachine(folder: string): Machine {
  const base = { PATH: process.env.PATH ?? '', HOME: folder, TMUX_TMPDIR: folder, LANG: 'C.UTF-8', PS1: '$ ' }
  return {
    image: { name: 'host', digest: `sha256:${'0'.repeat(64)}` },
    exec: (request) => run(request, folder, base),
    upload: async () => 'unavailable',
    download: async () => ({ ok: false, reason: 'unavailable' }),
    folderStamp: async () => undefined,
    processes: async () => null,
    endProcesses: async () => false,
    stop: async () => undefined,
  }
}

function run(request: MachineExec, folder: string, base: Record<string, string>): Promise<MachineExecResult> {
  const [program, ...argv] = request.argv
  return new Promise((settle) => {
    const env = { ...base, ...request.env }
    const child = spawn(program, argv, { cwd: request.cwd ?? folder, env, timeout: request.timeout_ms, killSignal: 'SIGKILL' })
    const parts: Buffer[] = []
    child.stdout.on('data', (part: Buffer) => parts.push(part))
    child.stderr.on('data', (part: Buffer) => parts.push(part))
    child.on('error', () => settle({ end: 'exited', exit_code: 127, head: new Uint8Array(), tail: new Uint8Array(), omitted_bytes: 0 }))
    child.on('close', (exit_code, signal) => {
      const all = new Uint8Array(Buffer.concat(parts))
      const head = all.slice(0, request.head_bytes)
      const tail = all.slice(Math.max(head.length, all.length - request.tail_bytes))
      const omitted_bytes = all.length - head.length - tail.length
      settle({ end: signal === null ? 'exited' : 'timeout', exit_code, head, tail, omitted_bytes })
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(request.stdin)
  })
}
