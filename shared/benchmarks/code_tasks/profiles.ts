import type { Profile } from '../../contract/card.ts'

/** How a run asks and reads, beyond the task itself: what is shown besides the workspace, and what is let pass in an answer. */
export type Options = {
  /** The probes are shown too; what they have to print never is. */
  include_tests: boolean
  /** A block of a diff that never ends counts up to the end of the answer. */
  allow_incomplete_diffs: boolean
  /** Where a diff does not apply as it stands: see `applyDiff`. */
  allow_diff_rewrite_fallback: boolean
}

const names: Record<keyof Options, [suffix: string, title: string]> = {
  include_tests: ['tests', 'the probes are shown as well'],
  allow_incomplete_diffs: ['incomplete', 'a diff may end with the answer'],
  allow_diff_rewrite_fallback: ['rewrite', 'a diff that does not apply may be read loosely'],
}
const keys = Object.keys(names) as (keyof Options)[] // the keys of the table above

const asked = {
  texts: [],
  files: ['test'],
  tables: [],
  params: { temperature: 0, top_p: null, max_tokens: 32_768, stop: null, seed: null, reasoning_effort: null },
  epochs: 1,
} satisfies Omit<Profile, 'id' | 'title'>

/** All that options can be together: results under different ones are not compared, so each is a profile. The strict one is first. */
const combinations: readonly Options[] = Array.from({ length: 2 ** keys.length }, (_, bits) => ({
  include_tests: (bits & 1) !== 0,
  allow_incomplete_diffs: (bits & 2) !== 0,
  allow_diff_rewrite_fallback: (bits & 4) !== 0,
}))

function idOf(options: Options): string {
  const suffixes = keys.flatMap((key) => (options[key] ? [names[key][0]] : []))
  return ['builtin', ...suffixes].join('+')
}

export const profiles: Profile[] = combinations.map((options) => {
  const more = keys.flatMap((key) => (options[key] ? [names[key][1]] : []))
  return { id: idOf(options), title: ['Instructions and workspace, one strict diff', ...more].join('; '), ...asked }
})

/** The options of a profile; an unknown one is the strict one. */
export function optionsOf(profile: string): Options {
  return combinations.find((options) => idOf(options) === profile) ?? combinations[0]!
}
