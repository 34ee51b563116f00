import * as z from 'zod'

/**
 * Protocol versions of this program. From version 1.0 of the program on, services and agents of adjacent
 * versions work together: each side sends new fields and frames only to peers of their version.
 */
export const protocols = { min: 7, max: 7 } as const

/** The range of versions in an agent's hello; absent in the hello of another program. */
export const Spoken = z.object({ protocol_min: z.int().optional(), protocol_max: z.int().optional() })
export type Spoken = z.infer<typeof Spoken>

/** The range of versions in our hello. */
export const spoken = { protocol_min: protocols.min, protocol_max: protocols.max } satisfies Spoken

/** Returns the newest version that both sides speak, or null if they share none. */
export function commonProtocol({ protocol_min, protocol_max }: Spoken): number | null {
  if (protocol_min === undefined || protocol_max === undefined) return null
  const newest = Math.min(protocols.max, protocol_max)
  return newest >= protocols.min && newest >= protocol_min ? newest : null
}

/** Returns the reason of a refusal and the side to upgrade, in at most 123 bytes: the limit of a close reason. */
export function protocolRefusal({ protocol_min, protocol_max }: Spoken): string {
  const ours = `This service speaks ${rangeText(protocols)}`
  if (protocol_min === undefined || protocol_max === undefined)
    return `${ours}, and the agent does not say what it speaks. Upgrade the agent.`
  const theirs = protocol_min === protocol_max ? protocol_min : `${protocol_min} to ${protocol_max}`
  return `${ours}, the agent ${theirs}. Upgrade the ${protocol_min > protocols.max ? 'service' : 'agent'}.`
}

type Range = { min: number; max: number }

export const rangeText = ({ min, max }: Range): string => (min === max ? `protocol ${min}` : `protocols ${min} to ${max}`)
