import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readPythonStrings } from './python-strings.ts'

test('[TEXT1] every kind of literal is decoded as Python decodes it', () => {
  const source = String.raw`
a = 'it\'s' ; b = "tab\there" # 'no string'
c = r'raw\n\'' ; d = u"\u00e9\U0001F600\x41\101\q"
e = """three "quoted"
lines \
joined"""
f = b'bytes' ; g = rb"more" ; h = f"{x!r:>{width}} and {{braces}}"
`
  expect(readPythonStrings(source).constants).toEqual([
    "it's",
    'tab\there',
    String.raw`raw\n\'`,
    'é😀AA\\q',
    'three "quoted"\nlines joined',
    '{x!r:>{width}} and {braces}',
  ])
  expect(readPythonStrings(source).templates).toContain('{x!r:>{width}} and {{braces}}')
})

test('[TEXT2] literals side by side are one text, over line ends only inside brackets or after a backslash; added ones are found too', () => {
  const source = `
PROMPT = (
    "one "  # first
    'two '
    """three"""
)
x = 'a' \\
    'b'
'c'
'd'
y = ("e" "f") + "g" + ('h'
  'i') + name + "j"
z = ['k', 'l' 'm']
total += 'n'
`
  const { constants, sums, literals } = readPythonStrings(source)
  expect(constants).toEqual(['one two three', 'ab', 'c', 'd', 'ef', 'g', 'hi', 'j', 'k', 'lm', 'n'])
  expect(sums).toEqual(['efghi'])
  expect(literals).toContain('two ')
})

test('[TEXT2] the quotes of an f-string may come again inside its fields, and broken code is passed over', () => {
  expect(readPythonStrings(`f"{d["key"]:'>10} {', '.join(f"{n}" for n in l)} end" 'next'`).constants[0]).toBe(
    `{d["key"]:'>10} {', '.join(f"{n}" for n in l)} endnext`,
  )
  expect(readPythonStrings(`x = 'never closed\ny = 'fine'\nz = f"{ never closed"`).constants).toEqual(['fine', '{ never closed'])
})

const oracle = `
import ast, json, sys
def constants(source):
    try: tree = ast.parse(source)
    except (SyntaxError, ValueError): return None
    found = []
    def walk(node):
        if isinstance(node, ast.JoinedStr):
            parts = [v.value for v in node.values if isinstance(v, ast.Constant)]
            found.append((node.lineno, node.col_offset, {'parts': parts, 'plain': len(parts) == len(node.values)}))
            return
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.append((node.lineno, node.col_offset, node.value))
        for child in ast.iter_child_nodes(node): walk(child)
    walk(tree)
    return [value for _, _, value in sorted(found, key=lambda f: f[:2])]
print(json.dumps([constants(source) for source in json.load(sys.stdin)]))
`
type Expected = (string | { parts: string[]; plain: boolean })[] | null

function askPython(sources: string[]): Expected[] {
  const { stdout, status, stderr } = spawnSync('python3', ['-W', 'ignore', '-c', oracle], {
    input: JSON.stringify(sources),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
  })
  if (status !== 0) throw new Error(stderr)
  return JSON.parse(stdout)
}

/** Our constants must be Python's, in order; of an f-string with fields only the literal parts can be compared. */
function firstDifference(source: string, expected: Expected): string | undefined {
  if (expected === null) return undefined
  const ours = readPythonStrings(source).constants
  const fits = (want: NonNullable<Expected>[number], text = '') =>
    typeof want === 'string' ? text === want : want.plain ? text === want.parts.join('') : containsInOrder(text, want.parts)
  const at = expected.findIndex((want, index) => !fits(want, ours[index]))
  if (at < 0 && ours.length === expected.length) return undefined
  return `${JSON.stringify(source.slice(0, 200))}: constant ${at} is ${JSON.stringify(ours[at])}, Python has ${JSON.stringify(expected[at])}`
}

const differences = (sources: string[], answers: Expected[]) =>
  sources.map((source, index) => firstDifference(source, answers[index] ?? null)).filter((difference) => difference !== undefined)

function containsInOrder(text: string, parts: string[]): boolean {
  let at = 0
  for (const part of parts) {
    const next = text.indexOf(part, at)
    if (next < 0) return false
    at = next + part.length
  }
  return true
}

const noPython = spawnSync('python3', ['--version']).status !== 0 && 'there is no python3 here to compare with'
if (noPython) console.info(`skipped: ${noPython}`)

test.skipIf(noPython)('[TEXT1] generated files have the constants that the real ast.parse finds', () => {
  const piece = fc.constantFrom(
    'a',
    ' ',
    "'",
    '"',
    '\\',
    '\\n',
    '\\x41',
    '\\777',
    '\\7',
    '\\u00e9',
    '\\N',
    '{',
    '}',
    '{{',
    '\n',
    '#',
    '\\\n',
    'é',
    '😀',
    '"""',
    "'''",
    '\\"',
    '+',
    '(',
    ')',
  )
  const literal = fc
    .tuple(fc.constantFrom('', 'r', 'u', 'b', 'Rb', 'f', 'rF'), fc.constantFrom("'", '"', "'''", '"""'), fc.array(piece, { maxLength: 6 }))
    .map(([letters, quote, pieces]) => `${letters}${quote}${pieces.join('')}${quote}`)
  const joint = fc.constantFrom(' ', '\n', ' + ', ') + (', ' \\\n ', ', ', ' # note\n')
  const file = fc
    .array(fc.tuple(literal, joint), { minLength: 1, maxLength: 4 })
    .map((parts) => `x = (${parts.flat().join('')} '')\ny = ${parts.flat().join('')}''\n`)
  const sources = fc.sample(file, { numRuns: 6000, seed: 20261121 })
  const answers = askPython(sources)
  expect(answers.filter((answer) => answer !== null).length).toBeGreaterThan(300)
  expect(differences(sources, answers)).toEqual([])
})

test.skipIf(noPython)("[TEXT1] files of Python's own library have the constants that the real ast.parse finds", () => {
  const folder = spawnSync('python3', ['-c', 'import os; print(os.path.dirname(os.__file__))'], { encoding: 'utf8' }).stdout.trim()
  const names = ['', 'json', 'email', 'unittest', 'asyncio', 'http'].flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => join(folder, part, name)),
  )
  const sources = names
    .filter((name) => name.endsWith('.py'))
    .map((name) => readFileSync(name, 'utf8'))
    .filter((source) => !/\\N\{|=\}|\uFFFD/.test(source))
  expect(sources.length).toBeGreaterThan(100)
  const answers = askPython(sources)
  expect(differences(sources, answers)).toEqual([])
})
