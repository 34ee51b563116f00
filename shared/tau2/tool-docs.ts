/** What a docstring says of a tool: its description as models are told it, and its parameters by name. */
export type ToolDoc = { description: string; parameters: ReadonlyMap<string, string> }

/** A pinned Python file does not hold what is read from it. */
export class NoToolDoc extends Error {}

/**
 * The docstring of the method `name` in a Python file: the text between the first triple quotes behind its signature. Throws `NoToolDoc` where there is
 * none, or one with an escape.
 */
export function methodDocstring(source: string, name: string): string {
  const head = new RegExp(`^    def ${name}\\((?:[^()]|\\([^()]*\\))*\\)(?: -> [^\\n]+)?:\\n\\s*"""([\\s\\S]*?)"""`, 'm').exec(source)
  return plain(head?.[1], `method ${name}`)
}

/** The docstring of a class. */
export function classDocstring(source: string, name: string): string {
  return plain(new RegExp(`^class ${name}\\([^)]*\\):\\n\\s*"""([\\s\\S]*?)"""`, 'm').exec(source)?.[1], `class ${name}`)
}

/** The descriptions of a pydantic model's fields, by name: what stands as `description="…"` in `Field(…)`. */
export function fieldDescriptions(source: string, model: string): Map<string, string> {
  const body = new RegExp(`^class ${model}\\([^)]*\\):\\n([\\s\\S]*?)(?=^\\S)`, 'm').exec(source)?.[1]
  const fields = plain(body, `class ${model}`).matchAll(/^ {4}(\w+): [^=\n]+ = Field\(([\s\S]*?)\n {4}\)/gm)
  return new Map([...fields].map(([, field, given]) => [field!, plain(/description="([^"]*)"/.exec(given!)?.[1], `field ${field}`)]))
}

function plain(text: string | undefined, what: string): string {
  if (text === undefined) throw new NoToolDoc(`the file has no docstring of the ${what}`)
  if (text.includes('\\')) throw new NoToolDoc(`the ${what} is described with an escape, which is not read here`)
  return text
}

/** `inspect.cleandoc`: the first line without white space before it, the others without what all of them begin with. */
export function cleanDoc(text: string): string {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const [first = '', ...others] = lines
  const margins = others.filter((line) => line !== '').map((line) => line.length - line.trimStart().length)
  const margin = Math.min(...margins, Number.POSITIVE_INFINITY)
  const cleaned = [first.trimStart(), ...others.map((line) => (Number.isFinite(margin) ? line.slice(margin) : line))]
  return cleaned.join('\n').replace(/^\n+|\n+$/g, '')
}

const titles = /^(?:Arguments|Args|Parameters|Params|Raises|Exceptions|Except|Attributes|Example|Examples|Returns|Yields):[ \t\r\f\v]*$/m
const argumentTitles = /^(?:Arguments|Args|Parameters|Params):[ \t\r\f\v]*\n([\s\S]*)$/m

/**
 * A docstring in Google's style as docstring_parser reads it and tau2-bench makes a description of it: the first line, an empty line, the rest before the
 * first section. Source: tau2-bench, `src/tau2/environment/tool.py`; docstring_parser 0.17, `google.py`.
 */
export function readToolDoc(docstring: string): ToolDoc {
  const text = cleanDoc(docstring)
  const start = titles.exec(text)?.index ?? text.length
  const [short = '', ...rest] = text.slice(0, start).split('\n')
  const long = rest.join('\n').trim()
  return { description: long ? `${short}\n\n${long}` : short, parameters: readParameters(text.slice(start)) }
}

function readParameters(sections: string): Map<string, string> {
  const chunk = argumentTitles.exec(sections)?.[1]
  const found = new Map<string, string>()
  if (chunk === undefined) return found
  const lines = chunk.slice(0, /^\S/m.exec(chunk)?.index ?? chunk.length).split('\n')
  const indent = /^\s*/.exec(lines[0] ?? '')![0].length
  let open: { name: string; text: string[] } | undefined
  const close = () => {
    if (open)
      found.set(open.name, [open.text[0]!, ...cleanDoc(open.text.slice(1).join('\n')).split('\n')].join('\n').replace(/^\n+|\n+$/g, ''))
  }
  for (const line of lines) {
    const begins = line.slice(0, indent).trim() === '' && /^(\S[^:]*): ?(.*)$/.exec(line.slice(indent))
    if (begins) {
      close()
      open = { name: begins[1]!.replace(/\s*\(.*\)\s*$/, ''), text: [begins[2]!] }
    } else open?.text.push(line)
  }
  close()
  return found
}
