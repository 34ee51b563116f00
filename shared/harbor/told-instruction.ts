import * as z from 'zod'
import { readText } from './python-text.ts'

const Told = z.object({ steps: z.array(z.object({ source: z.string(), message: z.unknown() })) })

/** Where the trajectory of an episode lies in its folder, and how much of one is read, in bytes. */
export const trajectoryPath = 'agent/trajectory.json'
export const mostTrajectory = 4 * 2 ** 20
/** Longest instruction that a record takes over; a longer one stays in the trajectory alone. */
const mostChars = 200_000

/** What an agent was told first, where its trajectory tells it. */
export function toldInstruction(trajectory: Uint8Array): string | null {
  try {
    const { steps } = Told.parse(JSON.parse(readText(trajectory) ?? ''))
    const first = steps.find(({ source }) => source === 'user')?.message
    return typeof first === 'string' && first.length <= mostChars ? first : null
  } catch (cause) {
    if (cause instanceof SyntaxError || cause instanceof z.ZodError) return null
    throw cause
  }
}
