import { spawn } from 'node:child_process'
import { pipeline } from 'node:stream/promises'
import type { Machine } from '#shared/solvers/machine.ts'
import { relayPrograms } from '../relay-programs.ts'

/** This host in a machine's place: whatever is run there, it is the relay in one language. */
export const relayHost = (program: keyof typeof relayPrograms): Machine =>
  ({
    exec: ({ input, onOutput }) =>
      new Promise((resolve) => {
        const [command, flag] = program === 'python' ? ['python3', '-c'] : ['perl', '-e']
        const child = spawn(command, [flag, relayPrograms[program]], { stdio: ['pipe', 'pipe', 'inherit'] })
        child.stdout.on('data', (part: Buffer) => onOutput?.(part))
        void pipeline(input!, child.stdin).catch(() => undefined) // a relay is given input, and one that has ended takes no more
        const nothing = new Uint8Array()
        child.on('close', (exit_code) => resolve({ end: 'exited', exit_code, head: nothing, tail: nothing, omitted_bytes: 0 }))
      }),
  }) satisfies Pick<Machine, 'exec'> as unknown as Machine // nothing else of it is used by a door
