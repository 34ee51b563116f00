import type { GradedStep, RewardProblem } from '../contract/evidence/reward.ts'
import type { Outcome } from '../contract/failure.ts'
import { type ReadReward, type RewardFile, type RewardFiles, readReward } from '../harbor/read-reward.ts'
import type { Downloaded, Machine } from '../solvers/machine.ts'
import { machineGone } from './machine-spec.ts'

/** A reward file that is larger says nothing that could be read. */
export const mostReward = 1_000_000
/** Where a verifier leaves rewards. */
export const rewardFiles = ['/logs/verifier/reward.json', '/logs/verifier/reward.txt'] as const
const away = 'rm -rf /logs/verifier'
/** Makes the place of rewards anew; anybody may write there. Something that writes there meanwhile may keep it from going, but not time after time. */
export const emptyRewards = `{ { ${Array(4).fill(away).join(' || ')}; } 2>/dev/null || ${away}; } && mkdir -p /logs/verifier && chmod 777 /logs/verifier`

/** The reward files of a machine. One that is too large is a file that cannot be read. */
export async function readRewards(machine: Machine): Promise<Outcome<RewardFiles>> {
  // Each by itself: that a file is absent is told at once, while a folder that is there has to be packed.
  const found = await Promise.all(rewardFiles.map((path) => machine.download(path, mostReward)))
  if (found.some((one) => !one.ok && one.reason === 'unavailable')) return machineGone('give the reward', 'unavailable')
  const [json, text] = found.map(rewardFile)
  return { ok: true, value: { json, text } }
}

function rewardFile(found: Downloaded): RewardFile {
  if (found.ok) return found.folder ? 'folder' : found.files[0]?.bytes
  if (found.reason === 'absent') return undefined
  return found.reason === 'unsafe' && found.entry !== 'name' ? found.entry : unreadable
}

const unreadable = new Uint8Array([0xff])

const problems: Record<Extract<ReadReward, { ok: false }>['reason'], RewardProblem> = {
  missing: 'missing',
  empty: 'empty',
  unparsable: 'unreadable',
  'not-finite': 'not-finite',
  'not-named': 'not-named',
  'out-of-range': 'out-of-range',
  folder: 'folder',
  special: 'special',
  link: 'link',
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
