import { readFloat } from '../python/number.ts'
import { readText } from './python-text.ts'

/** Named rewards of a verifier. A task with one calls it `reward`. */
export type Rewards = Readonly<Record<string, number>>

/** Why a verifier left no reward, each with the class of the error that Harbor 0.26.0 ends such a trial with. */
export const rewardErrors = {
  missing: 'RewardFileNotFoundError',
  empty: 'RewardFileEmptyError',
  unparsable: 'VerifierOutputParseError',
  'not-finite': 'VerifierOutputParseError',
  'out-of-range': 'VerifierOutputParseError',
  'not-named': 'ValidationError',
  folder: 'IsADirectoryError',
  special: 'RewardFileEmptyError',
  link: 'RewardFileNotFoundError',
} as const
export type RewardProblem = keyof typeof rewardErrors

/** The contents of a reward file, or the kind of what stands in its place: `special` is a pipe, a socket or a device. Undefined where nothing does. */
export type RewardFile = Uint8Array | 'folder' | 'special' | 'link' | undefined
/** `/logs/verifier`'s two reward files. */
export type RewardFiles = { json: RewardFile; text: RewardFile }

/** `dropped`: names in `reward.json` whose value is no number, with what stands there; Harbor refuses such a file. */
export type ReadReward =
  | { ok: true; rewards: Rewards; dropped: { name: string; value: unknown }[] }
  | { ok: false; reason: RewardProblem; text: string }

/**
 * What a verifier gave. `reward.json` wins over `reward.txt`, also where it cannot be read. Read as Harbor 0.26.0 reads them, and then held to
 * our own rule: the reward that scores an episode lies from 0 to 1, every other one is a finite number. No link is followed; to Harbor, which reads on
 * its host, a link to a path of the machine leads nowhere.
 */
export function readReward({ json, text }: RewardFiles): ReadReward {
  if (json && json !== 'link') return readFile('reward.json', json, readJson)
  if (text && text !== 'link') return readFile('reward.txt', text, readLine)
  if (json || text) return refused('link', `${json ? 'reward.json' : 'reward.txt'} is a link`)
  return refused('missing', 'the verifier wrote neither /logs/verifier/reward.json nor /logs/verifier/reward.txt')
}

const refused = (reason: RewardProblem, text: string): ReadReward => ({ ok: false, reason, text })

function readFile(
  name: string,
  bytes: Exclude<RewardFile, 'link' | undefined>,
  read: (name: string, text: string) => ReadReward,
): ReadReward {
  if (bytes === 'folder') return refused('folder', `${name} is a folder`)
  if (bytes === 'special') return refused('special', `${name} is a pipe, a socket or a device`)
  if (bytes.length === 0) return refused('empty', `${name} is empty`)
  const text = readText(bytes)
  return text === undefined ? refused('unparsable', `${name} is no UTF-8`) : inRange(name, read(name, text))
}

function readLine(name: string, text: string): ReadReward {
  const value = readFloat(text)
  if (value === null) return refused('unparsable', `${name} holds no number: ${shown(text)}`)
  return Number.isFinite(value)
    ? { ok: true, rewards: { reward: value }, dropped: [] }
    : refused('not-finite', `${name} says ${shown(text)}`)
}

function readJson(name: string, text: string): ReadReward {
  const parsed = parsedJson(text)
  if (!parsed) {
    const infinite = /(?<![\w"])(?:NaN|-?Infinity)(?![\w"])/.exec(text)
    return infinite ? refused('not-finite', `${name} says ${infinite[0]}`) : refused('unparsable', `${name} is no JSON: ${shown(text)}`)
  }
  const { value } = parsed
  if (typeof value === 'number' || typeof value === 'boolean')
    return refused(Number.isFinite(Number(value)) ? 'not-named' : 'not-finite', `${name} is a bare ${typeof value}: ${shown(text)}`)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused('unparsable', `${name} is no object of named rewards: ${shown(text)}`)
  const [rewards, dropped]: [[string, number][], { name: string; value: unknown }[]] = [[], []]
  for (const [key, told] of Object.entries(value)) {
    if (typeof told === 'number' || typeof told === 'boolean') rewards.push([key, Number(told)])
    else dropped.push({ name: key, value: told })
  }
  const infinite = rewards.find(([, reward]) => !Number.isFinite(reward))
  if (infinite) return refused('not-finite', `${name} has a number for ${JSON.stringify(infinite[0])} that is too large`)
  if (rewards.length === 0 && dropped.length > 0) return refused('unparsable', `${name} has no number: ${shown(text)}`)
  return { ok: true, rewards: Object.fromEntries(rewards), dropped }
}

function parsedJson(text: string): { value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

function inRange(name: string, read: ReadReward): ReadReward {
  if (!read.ok) return read
  const outside = scoringRewards(read.rewards).find(([, value]) => value < 0 || value > 1)
  return outside
    ? refused('out-of-range', `${name} says ${outside[1]} for ${JSON.stringify(outside[0])}: a reward that scores lies from 0 to 1`)
    : read
}

/** The rewards that a score rests on: the one called `reward`, else all of them. */
function scoringRewards(rewards: Rewards): [string, number][] {
  const entries = Object.entries(rewards)
  const main = entries.filter(([name]) => name === 'reward')
  return main.length > 0 ? main : entries
}

/** What an episode scores, from 0 to 1: its `reward`, else the mean of its named rewards. Null without any. */
export function scoreOf(rewards: Rewards): number | null {
  const scoring = scoringRewards(rewards)
  return scoring.length === 0 ? null : scoring.reduce((sum, [, value]) => sum + value, 0) / scoring.length
}

const mostShown = 80
const shown = (text: string): string => JSON.stringify(text.length > mostShown ? `${text.slice(0, mostShown)}…` : text)
