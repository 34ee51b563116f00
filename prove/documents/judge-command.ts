import { foreignCommands, ownPrograms } from './foreign-commands.ts'
import { judgeBench, optionsOfAll, readBench } from './judge-bench.ts'
import { judgeCompose } from './judge-docker.ts'
import { judgeNode, judgeNpm, judgeVitest } from './judge-npm.ts'
import type { Place } from './place.ts'

type Judge = (words: readonly string[], place: Place) => string | null | Promise<string | null>

/** Who reads a command, by its first words. */
const judges: Record<(typeof ownPrograms)[number], Judge> = {
  bench: (words, { mention }) => judgeBench(words, mention),
  'npx bench': (words, { mention }) => judgeBench(words, mention),
  npm: judgeNpm,
  node: judgeNode,
  vitest: (words, place) => (words[0] === 'run' ? judgeVitest(words.slice(1), place) : 'vitest is told to run here'),
  curl: () => null, // edge/documents.test.ts has it read by the API
  'docker compose': judgeCompose,
}

const beginsWith = (words: readonly string[], key: string): boolean => `${words.join(' ')} `.startsWith(`${key} `)

/** What is wrong with a command, or null: its own parser has read it, or it stands among the foreign ones. */
export async function judgeCommand(words: readonly string[], place: Place): Promise<string | null> {
  if (words.length === 0) return null
  const key = ownPrograms.find((one) => beginsWith(words, one))
  if (key !== undefined) return judges[key](words.slice(key.split(' ').length), place)
  const foreign = Object.keys(foreignCommands).some((one) => beginsWith(words, one))
  return foreign ? null : 'no program of ours reads this command, and foreign-commands.ts does not list it'
}

/** What is wrong with options that a document names without their command, or null: one command of `bench` must take all of them with these values. */
export async function judgeOptions(words: readonly string[]): Promise<string | null> {
  const flags = words.filter((word) => word.startsWith('-')).map((word) => word.split('=')[0]!)
  for (const [name, options] of await optionsOfAll()) {
    if (!flags.every((flag) => options.some(({ long, short }) => long === flag || short === flag))) continue
    const last = options.find(({ long, short }) => [long, short].includes(words.at(-1)!))
    const problem = await readBench([name, ...words, ...(last?.value ? ['1'] : [])]).then(
      () => null,
      (error: Error & { code?: string }) => (error.code === 'commander.missingArgument' || isExample(words) ? null : error.message),
    )
    if (problem === null) return null
  }
  return 'no command of bench takes these options'
}

/** Placeholders in capitals, and flags without their value, are no values to be read. */
const isExample = (words: readonly string[]): boolean =>
  words.at(-1)!.startsWith('-') || words.some((word) => /^[A-Z][A-Z/=-]*$/.test(word))
