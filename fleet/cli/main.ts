import { CommanderError } from 'commander'
import { BadSetting } from '../bad-setting.ts'
import { findEntry } from './commands.ts'
import { createProgram } from './create-program.ts'
import { CommandError, exitCodes, type Io, UsageError } from './io.ts'
import { paint } from './terminal.ts'

/**
 * Runs one command line and gives its exit code: 0 ok, 1 error, 2 usage, 3 not verified or scored otherwise, 130 interrupted. With `--json`
 * every error is one JSON line on stdout too.
 */
export async function main(args: string[], io: Io): Promise<number> {
  let code: number = exitCodes.ok
  try {
    const program = await createProgram(args, io, (exit) => {
      code = exit
    })
    await program.parseAsync(args.length > 0 ? args : ['--help'], { from: 'user' })
    return code
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok
    return failed(error, args, io)
  }
}

function failed(error: unknown, args: readonly string[], io: Io): number {
  const { code, status, message, exit } = sortOut(error, io)
  if (isJson(args)) io.out(JSON.stringify({ type: 'error', code, status, message }))
  if (exit === exitCodes.usage) io.err(`${message}\nSee: bench ${seeAlso(args)}--help`)
  else if (exit === exitCodes.error) io.err(paint(message, 'red', io.colour))
  else if (message !== 'interrupted') io.err(message)
  if (code === 'unexpected' && io.env.BENCH_DEBUG && error instanceof Error) io.err(error.stack ?? '')
  return exit
}

type Failed = { code: string; status: number | null; message: string; exit: number }

function sortOut(error: unknown, io: Pick<Io, 'signal'>): Failed {
  if (error instanceof UsageError) return { code: 'usage', status: null, message: error.message, exit: exitCodes.usage }
  if (error instanceof CommanderError) return { code: 'usage', status: null, message: sentence(error.message), exit: exitCodes.usage }
  if (error instanceof CommandError) {
    const { code, status, message } = error
    return { code, status, message, exit: code === 'interrupted' ? exitCodes.interrupted : exitCodes.error }
  }
  if (error instanceof BadSetting) return { code: 'bad-setting', status: null, message: error.message, exit: exitCodes.error }
  if (io.signal.aborted) return { code: 'interrupted', status: null, message: 'interrupted', exit: exitCodes.interrupted }
  const said = error instanceof Error ? `${error.name}: ${error.message.split('\n')[0]}` : String(error)
  const message = `This should not happen, it is a fault of this program: ${said}\nBENCH_DEBUG=1 shows where it happened.`
  return { code: 'unexpected', status: null, message, exit: exitCodes.error }
}

/** Commander's `error: unknown option '--frob'` as a sentence of ours. */
function sentence(message: string): string {
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n')
  return [`${first.charAt(0).toUpperCase()}${first.slice(1)}${/[.?!)]$/.test(first) ? '' : '.'}`, ...rest].join('\n')
}

function isJson(args: readonly string[]): boolean {
  const end = args.indexOf('--')
  return args.slice(0, end < 0 ? undefined : end).includes('--json')
}

function seeAlso(args: readonly string[]): string {
  const [name = ''] = args
  return findEntry(name) ? `${name} ` : ''
}
