import tab from '@bomb.sh/tab/commander'
import { Command as Commander } from 'commander'
import { programVersion } from '#fleet/program.ts'
import type { ReadLine } from './command.ts'
import { commands, type Entry, findEntry } from './commands.ts'
import { type Io, UsageError } from './io.ts'

const completionName = 'completion'
const ownGroup = 'This program:'

/**
 * The parser of one command line. Only the command it names is loaded, the others stand there with their summaries; completion needs the
 * options of all of them. Refusals are thrown as `CommanderError` or `UsageError`. With `onRead` a line is read and its command does not run.
 */
export async function createProgram(
  args: readonly string[],
  io: Io,
  onExit: (code: number) => void,
  onRead?: (line: ReadLine) => void,
): Promise<Commander> {
  const program = new Commander('bench')
    .description('Runs benchmarks on models, watches them, and checks signed results.')
    .usage('COMMAND [options]')
    .version(programVersion(), '-V, --version', 'version of this program')
    .helpOption('-h, --help', 'this text')
    .addHelpCommand(helpCommand())
    .addHelpText('after', '\nbench COMMAND --help says more. BENCH_URL names the service, BENCH_API_KEY the key to use there.')
  const [first = '', second = ''] = args
  const completes = first === 'complete' || first === completionName
  const wanted = findEntry(first === 'help' ? second : first)
  for (const [name, entry] of Object.entries<Entry>(commands)) {
    const command = completes || entry === wanted ? (await entry.load())(io, onExit, onRead) : new Commander(name)
    if (entry !== wanted) command.description(entry.summary)
    program.addCommand(
      command
        .summary(entry.summary)
        .aliases(entry.aliases ?? [])
        .helpGroup(entry.group),
    )
  }
  tab(program, { completionCommandName: completionName })
  program.commands
    .find((command) => command.name() === completionName)
    ?.helpGroup(ownGroup)
    .summary('script that completes in your shell')
  for (const command of [program, ...program.commands]) adapt(command, io)
  const command = program.commands.find((one) => one.name() === first || one.aliases().includes(first))
  if (command) refuseLost(command, args.slice(1))
  return program
}

const helpCommand = () =>
  new Commander('help').argument('[command]').summary('what a command does, its options, examples').helpGroup(ownGroup)

/** An option in the place of another's value: a shell drops an empty variable without quotes, and the option would be taken for its value. */
function refuseLost(command: Commander, args: readonly string[]): void {
  const optionOf = (word: string | undefined) =>
    command.options.find(({ short, long }) => word !== undefined && (word === short || word === long))
  for (const [at, word] of args.entries()) {
    if (word === '--') return
    const option = optionOf(word)
    if (option?.required && optionOf(args[at + 1]))
      throw new UsageError(
        `${option.flags} has no value: ${args[at + 1]} follows. A value of that name is written ${option.long ?? word}=${args[at + 1]}.`,
      )
  }
}

/** Output goes where `io` says, and nothing ends the process. */
function adapt(command: Commander, io: Io): void {
  command
    .exitOverride()
    .showSuggestionAfterError(true)
    .allowExcessArguments(command.name() === 'complete')
  command.configureOutput({
    writeOut: (text) => io.out(text.replace(/\n$/, '')),
    writeErr: () => undefined, // what is wrong is thrown, and told by whoever catches it
    getOutHelpWidth: () => Math.min(io.columns ?? 100, 120),
    getOutHasColors: () => io.colour,
  })
}
