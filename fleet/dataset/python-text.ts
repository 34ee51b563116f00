/** `textwrap.dedent`: blank lines become empty, the longest white space that all other lines begin with goes away. */
export function pythonDedent(text: string): string {
  const lines = text.split('\n').map((line) => (/^[ \t]+$/.test(line) ? '' : line))
  const indents = lines.filter((line) => line !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '')
  const margin = indents.reduce(commonStart, indents[0] ?? '')
  return lines.map((line) => line.slice(line === '' ? 0 : margin.length)).join('\n')
}

function commonStart(a: string, b: string): string {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return a.slice(0, length)
}
