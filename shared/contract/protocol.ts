import * as z from 'zod'

/**
 * Versions of the frames that this program speaks. Neighbours work together both ways, so that services and agents need not be upgraded in
 * one moment; what is new in a version is said only to those who speak it.
 */
export const protocols = { min: 3, max: 6 } as const

/** What a hello tells of the versions its agent speaks. One of version 3 knows no range. */
export const Spoken = z.object({
  protocol: z.int().optional(),
  protocol_min: z.int().optional(),
  protocol_max: z.int().optional(),
})
export type Spoken = z.infer<typeof Spoken>

/** What our agent says in a hello; an edge of version 3 reads nothing but `protocol`. */
export const spoken = { protocol: protocols.min, protocol_min: protocols.min, protocol_max: protocols.max } satisfies Spoken

/** The newest version that both sides speak; null where they share none. */
export function commonProtocol(hello: Spoken): number | null {
  const theirs = rangeOf(hello)
  if (!theirs) return null
  const newest = Math.min(protocols.max, theirs.max)
  return newest >= protocols.min && newest >= theirs.min ? newest : null
}

/** Why an agent is turned away, and which side is to be upgraded; short enough for the reason of a close. */
export function protocolRefusal(hello: Spoken): string {
  const theirs = rangeOf(hello)
  const ours = `This service speaks ${rangeText(protocols)}`
  if (!theirs) return `${ours}, and the agent does not say what it speaks. Upgrade the agent.`
  const older = theirs.min > protocols.max ? 'service' : 'agent'
  return `${ours}, the agent ${theirs.min === theirs.max ? theirs.min : `${theirs.min} to ${theirs.max}`}. Upgrade the ${older}.`
}

type Range = { min: number; max: number }

function rangeOf({ protocol, protocol_min, protocol_max }: Spoken): Range | undefined {
  const min = protocol_min ?? protocol
  const max = protocol_max ?? protocol
  return min === undefined || max === undefined ? undefined : { min, max }
}

export const rangeText = ({ min, max }: Range): string => (min === max ? `protocol ${min}` : `protocols ${min} to ${max}`)
