/**
 * The program that decides about a step, as the official code writes it (reference 2.5): the step's file, the targets, every test case. Between them
 * stand marks, by which it is told how far it came; a mark changes no name and raises nothing. Without `mark` it is the official text.
 */
export function testScript(script: {
  file: string
  step: string
  cases: readonly string[]
  targets: string
  mark: ((reached: number) => string) | null
}): string {
  const { file, step, cases, targets, mark } = script
  const code = file.replace(/\r\n?/g, '\n') // the official code reads it from a text file
  const head = `${code}\n\nfrom scicode.parse.parse import process_hdf5_to_tuple\n\ntargets = process_hdf5_to_tuple('${step}', ${cases.length}, '${targets}')\n`
  const told = cases.map((lines, index) => `target = targets[${index}]\n\n${lines}\n${mark?.(index + 1) ?? ''}`)
  return [head, mark?.(0) ?? '', ...told].join('')
}

/** The descriptor that marks are written to: not one of the three, which belong to the tested program. */
export const markDescriptor = 3

/** Statements that write one line, and go on whatever happens. The nonce keeps apart what a program writes there by itself. */
export const markWith =
  (nonce: string) =>
  (reached: number): string =>
    `try:\n    __import__('os').write(${markDescriptor}, b'${nonce} ${reached}\\n')\nexcept:\n    pass\n`

/** How many test cases were left behind; -1 where not even the first was begun. Only marks in their order count. */
export function testsReached(marks: string, nonce: string): number {
  let reached = -1
  for (const line of marks.split('\n')) if (line === `${nonce} ${reached + 1}`) reached++
  return reached
}
