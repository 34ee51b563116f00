import type { Profile } from '../contract/card.ts'
import type { CallLimits } from '../contract/limits.ts'
import type { Version } from './score/phrases.ts'

const unset = { temperature: null, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const plain = { texts: [], files: ['test'], tables: [], epochs: 1 } satisfies Partial<Profile>

/** Turns of an exchange under `janus-v2`, at most. */
export const mostTurns = 8

const judge = {
  model: 'Qwen/Qwen3-235B-A22B-Instruct-2507',
  provider: null,
  params: { ...unset, temperature: 0, max_tokens: 2048 },
  schema: false,
  estimate: { input_tokens: 900, output_tokens: 150 },
}

/** The official reading: one turn, no parameters, five seconds to the first token, one attempt. The mended one: whole exchanges, temperature 0. */
function profileOf(version: Version, total_ms: number): Profile {
  const limits: Partial<CallLimits> = version === 'v1' ? { first_token_ms: 5_000, total_ms, attempts: 1, timeouts: 1 } : { total_ms }
  return {
    id: `janus-${version}`,
    title: version === 'v1' ? 'Official formulas: one turn, scored as the Janus benchmark scores it' : 'Mended formulas, whole exchanges',
    ...plain,
    params: version === 'v1' ? unset : { ...unset, temperature: 0 },
    limits,
    trial_limits: { turns: version === 'v1' ? 1 : mostTurns },
  }
}

/** Both profiles of a benchmark whose answers may take so many milliseconds; `judged` adds the same with a judge of research. */
export function janusProfiles(total_ms: number, judged = false): Profile[] {
  const both = [profileOf('v2', total_ms), profileOf('v1', total_ms)]
  const with_judge = both.map((one) => ({
    ...one,
    id: `${one.id}-judged`,
    title: `${one.title}; a judge grades research`,
    roles: { judge },
  }))
  return judged ? [...both, ...with_judge] : both
}

/** The suites of the public tasks and how many items each has; profiles without a word more ask the first, as the official program does. */
export const publicSuites = { 'public/dev': 60, 'public/train': 120 } as const
export type PublicSuite = keyof typeof publicSuites

/** Which of the public suites a profile asks. */
export const suiteOf = (profile: string): PublicSuite => (profile.endsWith('-train') ? 'public/train' : 'public/dev')

/** The profiles of the public tasks: both readings, each of both suites. */
export function publicProfiles(total_ms: number): Profile[] {
  const both = janusProfiles(total_ms)
  const of = (suite: PublicSuite, ending: string) =>
    both.map((one) => ({ ...one, id: `${one.id}${ending}`, title: `${one.title}; suite ${suite}`, total_items: publicSuites[suite] }))
  return [...of('public/dev', ''), ...of('public/train', '-train')]
}

/** Which formulas a profile scores by. */
export const versionOf = (profile: string): Version => (profile.startsWith('janus-v1') ? 'v1' : 'v2')
