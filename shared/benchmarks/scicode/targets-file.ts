import type { StepTargets } from './record.ts'

/** The targets of one step as our Python package reads them: a line of JSON that says what is where, then the bytes. */
export function targetsFile({ name, root, data }: StepTargets): Uint8Array {
  const head = new TextEncoder().encode(`${JSON.stringify({ name, root })}\n`)
  const file = new Uint8Array(head.length + data.length)
  file.set(head)
  file.set(data, head.length)
  return file
}
