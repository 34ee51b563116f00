import { parseArgs } from 'node:util'
import * as z from 'zod'
import { type Io, UsageError } from './io.ts'

export type Option = { help: string; value?: string; short?: string; multiple?: boolean }

/** A command as it is declared: `values` parses what the options held, `run` gives the exit code. */
export type CommandSpec<S extends z.ZodType> = {
  name: string
  summary: string
  /** Names of the positional arguments, e.g. `['RUN']`; a name in brackets may be left out. */
  arguments?: string[]
  options: Record<string, Option>
  values: S
  examples: string[]
  run(input: { values: z.infer<S>; positionals: string[]; json: boolean; url: string | undefined; quiet: boolean }, io: Io): Promise<number>
}

export type Command = { help(): string; run(args: string[], io: Io): Promise<number> }

const shared: Record<string, Option> = {
  json: { help: 'write JSON lines to stdout and nothing else' },
  url: { help: 'address of the service (BENCH_URL, else http://127.0.0.1:8787)', value: 'URL' },
  quiet: { help: 'no progress', short: 'q' },
  'no-color': { help: 'no colours (as NO_COLOR does)' },
  help: { help: 'this text', short: 'h' },
}

/** Makes a command of its declaration: argument parsing, help and usage errors in one place. */
export function defineCommand<S extends z.ZodType>(spec: CommandSpec<S>): Command {
  const options = { ...spec.options, ...shared }
  return {
    help: () => helpOf(spec, options),
    run: async (args, io) => {
      const { values, positionals } = parse(args, options)
      if (values.help) {
        io.out(helpOf(spec, options))
        return 0
      }
      checkPositionals(spec.arguments ?? [], positionals)
      const given = Object.fromEntries(Object.keys(spec.options).map((name) => [name, values[name]]))
      const parsed = spec.values.safeParse(given)
      if (!parsed.success) throw new UsageError(parsed.error.issues.map(describe).join('\n'))
      const ui = values['no-color'] ? { ...io, colour: false } : io
      const quiet = values.quiet === true ? { ...ui, progress: () => undefined } : ui
      const url = typeof values.url === 'string' ? values.url : undefined
      return spec.run({ values: parsed.data, positionals, json: values.json === true, url, quiet: values.quiet === true }, quiet)
    },
  }
}

function parse(args: string[], options: Record<string, Option>) {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, option]) => [
      name,
      {
        type: option.value ? ('string' as const) : ('boolean' as const),
        ...(option.short ? { short: option.short } : {}),
        ...(option.multiple ? { multiple: true } : {}),
      },
    ]),
  )
  try {
    return parseArgs({ args, options: config, allowPositionals: true })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

function checkPositionals(names: readonly string[], positionals: readonly string[]): void {
  const needed = names.filter((name) => !name.startsWith('['))
  const missing = needed[positionals.length]
  if (missing) throw new UsageError(`${missing} is missing.`)
  const extra = positionals[names.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many.`)
}

function describe(issue: z.core.$ZodIssue): string {
  return `--${issue.path.join('.')}: ${issue.message}`
}

function helpOf(spec: CommandSpec<z.ZodType>, options: Record<string, Option>): string {
  const flags = Object.entries(options).map(([name, option]) => {
    const short = option.short ? `-${option.short}, ` : ''
    return [`  ${short}--${name}${option.value ? ` ${option.value}` : ''}`, option.help] as const
  })
  const width = Math.max(...flags.map(([flag]) => flag.length))
  const usage = ['bench', spec.name, ...(spec.arguments ?? []), '[options]'].join(' ')
  return [
    `${usage}\n\n${spec.summary}\n\nOptions`,
    ...flags.map(([flag, help]) => `${flag.padEnd(width)}  ${help}`),
    '\nExamples',
    ...spec.examples.map((example) => `  ${example}`),
  ].join('\n')
}

/** A number given as text, for `values`. */
export const number = (min: number, max: number) =>
  z
    .string()
    .transform(Number)
    .pipe(z.number(`must be a number from ${min} to ${max}`).min(min, `must be at least ${min}`).max(max, `must be at most ${max}`))
export const integer = (min: number, max: number) => number(min, max).pipe(z.int('must be a whole number'))
