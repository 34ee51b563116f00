import type { ArtifactRef } from '../contract/artifact.ts'
import type { Kit } from '../solvers/kit.ts'
import { castEventLine, castHeaderLine } from '../terminal/asciicast.ts'

/** How much of a terminal is recorded, in UTF-16 units of its events; a program that writes on and on is recorded until there. */
const mostRecorded = 16 * 2 ** 20

export type Recording = ReturnType<typeof openRecording>

/**
 * A terminal as it was seen: an asciicast of version 2, made from what the pane wrote. `now` is in milliseconds; times in the recording are seconds since it
 * was opened. A marker stands where a turn of the model begins.
 */
export function openRecording({ width, height }: { width: number; height: number }, now: () => number) {
  const began = now()
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  const lines = [castHeaderLine({ columns: width, rows: height, started_at_ms: null })]
  let recorded = 0
  const add = (kind: 'output' | 'mark', text: string): void => {
    if (text === '' || recorded > mostRecorded) return
    recorded += text.length
    const over = recorded > mostRecorded
    lines.push(castEventLine({ at_ms: now() - began, kind, text: over ? '\r\n[the recording ends here: too much output]\r\n' : text }))
  }
  return {
    output: (bytes: Uint8Array): void => add('output', decoder.decode(bytes, { stream: true })),
    left(omitted_bytes: number): void {
      if (omitted_bytes > 0) add('output', `\r\n[${omitted_bytes} bytes are left out]\r\n`)
    },
    marker: (label: string): void => add('mark', label),
    asciicast: (): string => lines.join(''),
  }
}

/** Keeps a recording as the trial's artifact `recording.cast`, below `prefix`. One that cannot be kept is told of in the transcript; the trial goes on. */
export async function keepRecording(recording: Recording, kit: Kit, prefix = ''): Promise<ArtifactRef | null> {
  const body = new TextEncoder().encode(recording.asciicast())
  const kept = await kit.keep({ name: `${prefix}recording.cast`, kind: 'recording', media_type: 'application/x-asciicast', body })
  if (kept.ok) return kept.value
  kit.transcript.note(`The recording of the terminal could not be kept: ${kept.failure.detail || kept.failure.reason}`)
  return null
}
