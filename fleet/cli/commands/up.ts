import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as z from 'zod'
import { checkoutDir } from '#fleet/program.ts'
import { defineCommand } from '../command.ts'
import { CommandError } from '../io.ts'

export const up = defineCommand({
  name: 'up',
  summary: 'Starts database, Worker, an agent and, without a provider key, a demo model on this machine. The same as npm start.',
  options: {
    fresh: { help: 'delete what earlier starts left in the data directory first, after asking' },
    yes: { help: 'with --fresh: do not ask' },
  },
  values: z.object({ fresh: z.boolean().default(false), yes: z.boolean().default(false) }),
  examples: ['bench up', 'PORT=8080 BENCH_DATA=/var/lib/bench bench up'],
  async run({ values }, io) {
    if (checkoutDir === null)
      throw new CommandError(
        'bench up needs the whole repository, not this program alone: clone it and run "npm start" there.',
        'no-checkout',
      )
    const start = join(checkoutDir, 'start.mjs')
    const flags = (['fresh', 'yes'] as const).filter((flag) => values[flag]).map((flag) => `--${flag}`)
    const child = spawn(process.execPath, [start, ...flags], { stdio: 'inherit', env: io.env })
    io.holdOn()
    const pass = () => child.kill('SIGTERM')
    process.once('SIGTERM', pass)
    const [code] = await once(child, 'exit')
    process.off('SIGTERM', pass)
    return typeof code === 'number' ? code : 1
  },
})
