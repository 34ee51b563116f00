/**
 * The program in an answer as the official extraction finds it (reference 1.4): the lines between the last two lines that hold three backticks; the
 * empty text where there are fewer than two such lines.
 */
export function extractProgram(answer: string): string {
  const lines = answer.split('\n')
  const fences = lines.flatMap((line, index) => (line.includes('```') ? [index] : []))
  return lines.slice((fences.at(-2) ?? 0) + 1, fences.length < 2 ? 0 : fences.at(-1)).join('\n')
}
