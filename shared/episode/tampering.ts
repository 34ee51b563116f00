import type { Tampering } from '../contract/evidence/reward.ts'
import type { Machine, TreeFile } from '../solvers/machine.ts'

/** Which signs of tampering were seen so far. */
export type Signs = Readonly<Record<Tampering, boolean>>

/** No sign of anything. */
export const clean: Signs = {
  'reward-before-tests': false,
  'reward-after-tests': false,
  'tests-changed': false,
  'tools-replaced': false,
  'processes-stayed': false,
}

/** Whether one of the files that were put below a path is not there any more as it was. */
export async function filesChanged(machine: Machine, path: string, put: readonly TreeFile[]): Promise<boolean> {
  const most = put.reduce((sum, { bytes }) => sum + bytes.length, 0) * 2 + 64 * 2 ** 20
  const found = await machine.download(path, most)
  if (!found.ok) return true
  const now = new Map(found.files.map((file) => [file.path, file.bytes]))
  return put.some(({ path: name, bytes }) => !sameBytes(bytes, now.get(name)))
}

function sameBytes(one: Uint8Array, other: Uint8Array | undefined): boolean {
  return other !== undefined && one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** Signs in a fixed order, each once. */
export const signsOf = (found: Signs): Tampering[] => (Object.keys(found) as Tampering[]).filter((sign) => found[sign])

/** Whether any sign was seen. */
export const hasSign = (signs: Signs): boolean => Object.values(signs).includes(true)

/** What was seen at either time. */
export const eitherSign = (one: Signs, other: Signs): Signs => ({
  'reward-before-tests': one['reward-before-tests'] || other['reward-before-tests'],
  'reward-after-tests': one['reward-after-tests'] || other['reward-after-tests'],
  'tests-changed': one['tests-changed'] || other['tests-changed'],
  'tools-replaced': one['tools-replaced'] || other['tools-replaced'],
  'processes-stayed': one['processes-stayed'] || other['processes-stayed'],
})
