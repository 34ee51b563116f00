/** The diff of an answer; `closed` is false where its block never ends. */
export type FoundDiff = { text: string; closed: boolean }

/** The first block of an answer that is fenced as `diff`, as it stands; null where there is none. A fence begins its line. */
export function findDiff(answer: string): FoundDiff | null {
  const lines = answer.split('\n')
  const from = lines.findIndex((line) => /^`{3,}diff[ \t]*\r?$/.test(line))
  if (from < 0) return null
  const fence = /^`+/.exec(lines[from]!)![0]
  const length = lines.slice(from + 1).findIndex((line) => line.startsWith(fence))
  const body = length < 0 ? lines.slice(from + 1, lines.at(-1) === '' ? -1 : undefined) : lines.slice(from + 1, from + 1 + length)
  return { text: body.map((line) => `${line}\n`).join(''), closed: length >= 0 }
}
