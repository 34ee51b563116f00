import type { GradedStep, RewardProblem } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import { type ReadReward, type RewardFiles, readReward } from '../harbor/read-reward.ts'
import type { Downloaded, Machine } from '../solvers/machine.ts'
import { machineGone } from './machine-spec.ts'

/** A reward file that is larger says nothing that could be read. */
export const mostReward = 1_000_000
/** Where a verifier leaves rewards. */
export const rewardFiles = ['/logs/verifier/reward.json', '/logs/verifier/reward.txt'] as const
/** Makes the place of rewards anew; anybody may write there. */
export const emptyRewards = 'rm -rf /logs/verifier && mkdir -p /logs/verifier && chmod 777 /logs/verifier'

/** What the verifier's folder may hold so that it is read as a whole. */
const mostFolder = 20_000_000

/** A link or device in place of a reward file, and one that is too large, is a file that cannot be read. */
export async function readRewards(machine: Machine): Promise<Outcome<RewardFiles>> {
  const folder = await machine.download('/logs/verifier', mostFolder)
  if (!folder.ok && folder.reason === 'absent') return { ok: true, value: { json: undefined, text: undefined } }
  const named = (path: string) => (folder.ok ? folder.files.find((file) => file.path === path.slice('/logs/verifier/'.length)) : undefined)
  // One that is not among the plain files may be a link, or the folder was too large to be read as a whole.
  const look = async (path: string): Promise<Downloaded> => {
    const file = named(path)
    return file ? { ok: true, files: [file] } : machine.download(path, mostReward)
  }
  const found = await Promise.all(rewardFiles.map(look))
  if (found.some((one) => !one.ok && one.reason === 'unavailable')) return machineGone('give the reward', 'unavailable')
  const [json, text] = found.map((one) => (one.ok ? one.files[0]?.bytes : one.reason === 'absent' ? undefined : unreadable))
  return { ok: true, value: { json, text } }
}

const unreadable = new Uint8Array([0xff])

const problems: Record<Extract<ReadReward, { ok: false }>['reason'], RewardProblem> = {
  missing: 'missing',
  empty: 'empty',
  unparsable: 'unreadable',
  'not-finite': 'out-of-range',
  'out-of-range': 'out-of-range',
}

/** What reward files say, in the words of evidence. */
export function gradeOf(files: RewardFiles): Pick<GradedStep, 'rewards' | 'problem' | 'ignored'> {
  const read = readReward(files)
  if (!read.ok) return { rewards: null, problem: problems[read.reason], ignored: [] }
  const ignored = read.dropped.slice(0, 100).map(({ name }) => name.slice(0, 200))
  return { rewards: { ...read.rewards }, problem: null, ignored }
}

/** Whether there is a reward file of any kind. */
export const isRewarded = ({ json, text }: RewardFiles): boolean => json !== undefined || text !== undefined
