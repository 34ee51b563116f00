import { type Filled, fillVariables, splitRaw, type Variables } from './words.ts'

/** What instructions of a stage see: its variables, and the shell that runs its commands. */
export type StageScope = {
  variables(): Variables
  fill(text: string): Filled
  /** Takes in an `ARG` line. */
  declare(rest: string): Filled
  /** Takes in an `ENV` line. */
  set(rest: string): Filled
  shell: readonly string[]
  env: ReadonlyMap<string, string>
}

/** Where a stage begins: variables of its image or of the stage before, arguments that are given and those of the file's head. */
export type ScopeGiven = {
  env: ReadonlyMap<string, string>
  complete: boolean
  shell: readonly string[] | null
  args: Readonly<Record<string, string>>
  heads: ReadonlyMap<string, string>
  escapeMark: string
}

const usualShell: readonly string[] = ['/bin/sh', '-c']
const fine: Filled = { ok: true, text: '', unknown: [] }

/** The scope of a stage, or of the lines before the first one. */
export function createScope({ env: inherited, complete, shell, args, heads, escapeMark }: ScopeGiven): StageScope {
  const env = new Map(inherited)
  const own = new Map<string, string>()
  const variables = (): Variables => ({ values: new Map([...own, ...env]), complete })
  const fill = (text: string): Filled => fillVariables(text, variables(), { escapeMark, quotes: true })
  /** The first pair that cannot be read ends it. */
  const each = (words: readonly string[], take: (name: string, text: string | null) => Filled): Filled => {
    for (const word of words) {
      const [, name = '', , text] = /^([^=]*)(=([\s\S]*))?$/.exec(word) ?? []
      const taken = take(name, text ?? null)
      if (!taken.ok) return taken
    }
    return fine
  }
  return {
    variables,
    fill,
    env,
    shell: shell ?? usualShell,
    declare: (rest) =>
      each(splitRaw(rest, escapeMark), (name, text) => {
        const filled = text === null ? null : fill(text)
        if (filled?.ok === false) return filled
        const value = Object.hasOwn(args, name) ? args[name] : (filled?.text ?? heads.get(name))
        if (value !== undefined) own.set(name, value)
        return fine
      }),
    set(rest) {
      const words = splitRaw(rest, escapeMark)
      const pairs = words[0]?.includes('=') ? words : [`${words[0] ?? ''}=${rest.slice(words[0]?.length ?? 0).trim()}`]
      const before = variables()
      return each(pairs, (name, text) => {
        const filled = fillVariables(text ?? '', before, { escapeMark, quotes: true })
        if (filled.ok) env.set(name, filled.text)
        return filled
      })
    },
  }
}
