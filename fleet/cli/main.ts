import { commands } from './commands.ts'
import { CommandError, exitCodes, type Io, UsageError } from './io.ts'
import { paint } from './terminal.ts'

/** Runs one command line and gives its exit code: 0 ok, 1 error, 2 usage, 3 not verified or scored otherwise, 130 interrupted. */
export async function main(args: string[], io: Io): Promise<number> {
  const [name, ...rest] = args
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const of = name === 'help' ? rest[0] : undefined
    return of ? main([of, '--help'], io) : help(io)
  }
  const entry = Object.hasOwn(commands, name) ? commands[name as keyof typeof commands] : undefined
  if (!entry) return usage(`There is no command "${name}".`, '', io)
  const json = rest.includes('--json')
  try {
    const command = await entry.load()
    return await command.run(rest, io)
  } catch (error) {
    if (error instanceof UsageError) return usage(error.message, name, io)
    if (!(error instanceof CommandError)) throw error
    if (error.code === 'interrupted') return exitCodes.interrupted
    if (json) io.out(JSON.stringify({ type: 'error', code: error.code, status: error.status, message: error.message }))
    io.err(paint(error.message, 'red', io.colour))
    return exitCodes.error
  }
}

function usage(message: string, name: string, io: Io): number {
  io.err(`${message}\nSee: bench ${name ? `${name} ` : ''}--help`)
  return exitCodes.usage
}

function help(io: Io): number {
  const width = Math.max(...Object.keys(commands).map((name) => name.length))
  io.out('bench COMMAND [options]\n\nRuns benchmarks on models, watches them, and checks signed results.\n')
  for (const [name, { summary }] of Object.entries(commands)) io.out(`  ${name.padEnd(width)}  ${summary}`)
  io.out('\nbench COMMAND --help says more. BENCH_URL names the service, BENCH_API_KEY the key to use there.')
  return exitCodes.ok
}
