import { CommanderError } from 'commander'
import type { ReadLine } from '#fleet/cli/command.ts'
import { commands, findEntry } from '#fleet/cli/commands.ts'
import { createProgram } from '#fleet/cli/create-program.ts'
import type { Io } from '#fleet/cli/io.ts'
import { UsageError } from '#fleet/cli/io.ts'
import { createRunsOf, type RunValues } from '#fleet/cli/run-options.ts'
import { cards } from '#shared/benchmarks/cards.ts'

/** An `Io` that keeps what is written. Nothing else of it is used while a line is read. */
export function quietIo(): Io & { lines: string[] } {
  const lines: string[] = []
  const unused = () => {
    throw new Error('reading a line touches nothing')
  }
  const silent = {
    err: () => undefined,
    progress: () => undefined,
    now: () => 0,
    pause: unused,
    holdOn: unused,
    fetch: unused as typeof fetch,
  }
  const shown = { interactive: false, columns: 200, colour: false, env: {}, signal: new AbortController().signal }
  return { lines, out: (line) => void lines.push(line), ...silent, ...shown }
}

/** The line as the parser of `bench` reads it; null where it only asks for help, the version or a completion script. Throws what the program would tell. */
export async function readBench(words: readonly string[]): Promise<ReadLine | null> {
  if (words[0] === 'completion') return null
  let read: ReadLine | null = null
  const program = await createProgram(
    words,
    quietIo(),
    () => undefined,
    (line) => {
      read = line
    },
  )
  try {
    await program.parseAsync(words.length > 0 ? words : ['--help'], { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError && error.exitCode === 0)) throw error
  }
  return read
}

/** What a sentence may leave out that a command line needs. */
const leftOut = new Set(['commander.missingArgument', 'commander.optionMissingArgument'])

/**
 * What is wrong with a line of `bench`, or null. It is read by the program's own parser. A run or a plan must give a request for benchmarks and profiles
 * that there are. `mention`: a sentence names the command and may leave arguments out.
 */
export async function judgeBench(words: readonly string[], mention: boolean): Promise<string | null> {
  const [name = ''] = words
  if (mention && /^[A-Z]+$/.test(name)) return null // bench COMMAND --help
  if (name === 'completion') return words.length === 2 && /^(bash|zsh|fish|SHELL)$/.test(words[1]!) ? null : 'names no shell'
  if (name !== '' && !name.startsWith('-') && name !== 'help' && !findEntry(name)) return `there is no command ${name}`
  try {
    const read = await readBench(words)
    return read && (read.name === 'run' || read.name === 'plan') ? judgeRun(read.values as ReadRun, mention) : null // both parse RunValues
  } catch (error) {
    if (mention && error instanceof CommanderError && leftOut.has(error.code)) return null
    if (error instanceof CommanderError || error instanceof UsageError) return error.message.replace(/^error: /, '')
    throw error
  }
}

type ReadRun = RunValues & { local?: boolean; task?: string; tasks?: string }

function judgeRun(values: ReadRun, mention: boolean): string | null {
  for (const name of values.benchmark ?? []) {
    const card = cards.find((one) => one.name === name)
    if (!card) return `there is no benchmark ${name}`
    if (values.profile !== undefined && !card.profiles.some(({ id }) => id === values.profile))
      return `${name} has no profile ${values.profile}`
  }
  if (mention || values.task !== undefined || values.tasks !== undefined) return null
  const given =
    values['response-file'] === undefined && values['response-text'] === undefined
      ? null
      : { label: 'given', answers: [{ texts: ['given'] }] }
  createRunsOf(values, given, { model: values.local ? 'demo-model' : undefined })
  return null
}

/** Options of every command, by the name of the command. */
export async function optionsOfAll(): Promise<
  Map<string, { flags: string; long: string; short: string | undefined; value: boolean; text: string }[]>
> {
  const program = await createProgram(['complete'], quietIo(), () => undefined)
  return new Map(
    program.commands
      .filter((command) => Object.hasOwn(commands, command.name()))
      .map((command) => [
        command.name(),
        command.options.map(({ flags, long, short, required, description }) => ({
          flags,
          long: long ?? '',
          short,
          value: required,
          text: description,
        })),
      ]),
  )
}
