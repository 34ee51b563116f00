import { Argument, Command as Commander, Option as CommanderOption } from 'commander'
import * as z from 'zod'
import { type Io, UsageError } from './io.ts'

/** `value` names what follows the option; `choices` are the only values it takes, offered by completion as well. */
export type Option = { help: string; value?: string; short?: string; multiple?: boolean; choices?: readonly string[] }

/** A command as it is declared: `values` parses what the options held, `run` gives the exit code. */
export type CommandSpec<S extends z.ZodType> = {
  name: string
  summary: string
  /** Names of the positional arguments, e.g. `['RUN']`; a name in brackets may be left out. */
  arguments?: string[]
  /** Words that an argument may be, by its name without brackets; any text where none are named. */
  words?: Record<string, readonly string[]>
  options: Record<string, Option>
  values: S
  examples: string[]
  run(input: { values: z.infer<S>; positionals: string[]; json: boolean; url: string | undefined; quiet: boolean }, io: Io): Promise<number>
}

/** A command line as its command reads it: options by name as `values` parses them, and the arguments. */
export type ReadLine = { name: string; values: unknown; positionals: readonly string[] }

/** Makes the parser of one command. `onExit` gets the exit code when the command has run; `onRead` gets the line that was read, and nothing runs. */
export type Command = (io: Io, onExit: (code: number) => void, onRead?: (line: ReadLine) => void) => Commander

const shared: Record<string, Option> = {
  json: { help: 'write JSON lines to stdout and nothing else; errors too' },
  url: { help: 'address of the service (BENCH_URL, else the one of this machine at PORT or in BENCH_DATA)', value: 'URL' },
  quiet: { help: 'no progress', short: 'q' },
  'no-color': { help: 'no colours (as NO_COLOR does)' },
}

/** Makes a command of its declaration: argument parsing, help and usage errors in one place. An empty argument is a usage error everywhere. */
export function defineCommand<S extends z.ZodType>(spec: CommandSpec<S>): Command {
  return (io, onExit, onRead) => {
    const command = new Commander(spec.name).description(spec.summary).helpOption('-h, --help', 'this text')
    for (const name of spec.arguments ?? []) command.addArgument(argumentOf(name, spec.words))
    for (const [name, option] of Object.entries(spec.options)) command.addOption(optionOf(name, option))
    command.optionsGroup('Everywhere:')
    for (const [name, option] of Object.entries(shared)) command.addOption(optionOf(name, option))
    command.addHelpText('after', `\nExamples:\n${spec.examples.map((example) => `  ${example}`).join('\n')}`)
    return command.action(async () => {
      const positionals = command.args
      refuseEmpty(spec, positionals)
      const held: Record<string, unknown> = command.opts()
      const given = Object.fromEntries(Object.keys(spec.options).map((name) => [name, held[attributeOf(name)]]))
      const parsed = spec.values.safeParse(given)
      if (!parsed.success) throw new UsageError(parsed.error.issues.map(describe).join('\n'))
      if (onRead) return onRead({ name: spec.name, values: parsed.data, positionals })
      const ui = held.color === false ? { ...io, colour: false } : io
      const quiet = held.quiet === true
      const input = { values: parsed.data, positionals, json: held.json === true, quiet }
      const url = typeof held.url === 'string' ? held.url : undefined
      onExit(await spec.run({ ...input, url }, quiet ? { ...ui, progress: () => undefined } : ui))
    })
  }
}

function argumentOf(name: string, words: CommandSpec<z.ZodType>['words']): Argument {
  const argument = new Argument(name.startsWith('[') ? name : `<${name}>`)
  const choices = words?.[name.replace(/[[\]]/g, '')]
  return choices ? argument.choices(choices) : argument
}

const attributeOf = (name: string): string => new CommanderOption(`--${name}`).attributeName()

function optionOf(name: string, { help, value, short, multiple, choices }: Option): CommanderOption {
  const option = new CommanderOption(`${short ? `-${short}, ` : ''}--${name}${value ? ` <${value}>` : ''}`, help)
  if (!value) return option
  if (choices && !multiple) option.choices(choices)
  const checked = option.parseArg
  option.argParser((text: string, before: unknown): unknown => {
    if (text.trim() === '' && name !== 'response-text') throw new UsageError(`--${name} is empty.`) // an empty answer is an answer
    if (multiple) return [...(Array.isArray(before) ? before : []), text]
    return checked ? checked(text, before as never) : text // commander's own check of choices reads no value before
  })
  return option
}

function refuseEmpty(spec: Pick<CommandSpec<z.ZodType>, 'arguments'>, positionals: readonly string[]): void {
  const at = positionals.findIndex((text) => text.trim() === '')
  if (at >= 0) throw new UsageError(`${(spec.arguments?.[at] ?? 'an argument').replace(/[[\]]/g, '')} is empty.`)
}

function describe(issue: z.core.$ZodIssue): string {
  return `--${issue.path.join('.')}: ${issue.message}`
}

/** A number given as text, for `values`. */
export const number = (min: number, max: number) =>
  z
    .string()
    .transform(Number)
    .pipe(z.number(`must be a number from ${min} to ${max}`).min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
export const integer = (min: number, max: number) => number(min, max).pipe(z.int('must be a whole number'))

/** Names given by a repeated option, each of them also several ones between commas; at least one must be left. */
export const names = (message: string) =>
  z
    .array(z.string(), message)
    .transform((given) => given.flatMap((text) => text.split(',')).flatMap((name) => name.trim() || []))
    .pipe(z.array(z.string()).min(1, 'names nothing'))
