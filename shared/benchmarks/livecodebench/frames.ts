import * as z from 'zod'

const Seconds = z.number().min(0).max(1e6)
/** Official codes: −3 beyond the time limit, −4 an error of the program. */
const Wire = z.union([
  z.tuple([z.literal('ready'), z.string().max(100)]).transform(([, python]) => ({ type: 'ready' as const, python })),
  z.tuple([z.literal('wrote'), z.string(), Seconds]).transform(([, output, seconds]) => ({ type: 'wrote' as const, output, seconds })),
  z.tuple([z.literal('returned'), z.json(), Seconds]).transform(([, value, seconds]) => ({ type: 'returned' as const, value, seconds })),
  z
    .tuple([z.literal('error'), z.union([z.literal(-3), z.literal(-4)]), z.string().max(1000), Seconds])
    .transform(([, code, message, seconds]) => ({ type: 'error' as const, code, message, seconds })),
  z.tuple([z.literal('broken'), z.string().max(1000)]).transform(([, message]) => ({ type: 'broken' as const, message })),
  z.tuple([z.literal('end')]).transform(() => ({ type: 'end' as const })),
])

/** One thing that the runner said. `broken`: the program could not be prepared, or broke outside of a test. */
export type Frame = z.infer<typeof Wire>

/**
 * What the runner said on its channel: the lines that begin with the nonce. Others are not its own and are passed over, and so is a line that was
 * cut off; nothing is read behind one that has the nonce and is not as it should be.
 */
export function framesOf(stdout: Uint8Array, nonce: string): Frame[] {
  const frames: Frame[] = []
  for (const line of new TextDecoder().decode(stdout).split('\n')) {
    if (!line.startsWith(nonce)) continue
    const frame = frameOf(line.slice(nonce.length))
    if (frame === null) break
    frames.push(frame)
  }
  return frames
}

function frameOf(text: string): Frame | null {
  try {
    return Wire.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
