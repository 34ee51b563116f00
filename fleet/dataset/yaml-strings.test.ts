import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readYamlStrings } from './yaml-strings.ts'

const file = `# invented
instruction: |
  Answer in one word.
    Indented more.

  End.

strict: |-
  no final newline

kept: |+
  with all of them

list:
  - >
    folded
    into one

    line break
      kept

    end
  - key: "quoted \\"text\\" \\u00e9 \\
      joined
      folded" # a note
    other: 'it''s
      single'
  - plain text
    that goes on # note
  - |2
     one space more
"quoted key": value: with colon
top: |2
    two more
empty:
number: 3
last: end`

test('[TEXT3] block, quoted and plain scalars of a YAML file are read with folding, chomping and escapes', () => {
  expect(readYamlStrings(file.replace('value: with colon', 'value:with colon'))).toEqual([
    'Answer in one word.\n  Indented more.\n\nEnd.\n',
    'no final newline',
    'with all of them\n\n',
    'folded into one\nline break\n  kept\n\nend\n',
    'quoted "text" é joined folded',
    "it's single",
    'plain text that goes on',
    ' one space more\n',
    'value:with colon',
    '  two more\n',
    '3',
    'end',
  ])
})

const oracle = `
import json, sys, yaml
def scalars(source):
    try: node = yaml.compose(source, Loader=yaml.BaseLoader)
    except yaml.YAMLError: return None
    found = []
    def walk(n):
        if isinstance(n, yaml.MappingNode):
            for _, v in n.value: walk(v)
        elif isinstance(n, yaml.SequenceNode):
            for v in n.value: walk(v)
        elif n is not None: found.append(n.value)
    walk(node)
    return found
print(json.dumps([scalars(source) for source in json.load(sys.stdin)]))
`
const absent = spawnSync('python3', ['-c', 'import yaml']).status !== 0 && 'there is no python3 with PyYAML here to compare with'
if (absent) console.info(`skipped: ${absent}`)

test.skipIf(absent)('[TEXT3] generated YAML files hold every text that PyYAML reads from them', () => {
  const line = fc.constantFrom('word', 'two words', '  deeper', '', 'a "quote"', "it's", 'tail  ', '\\n', '{x}', 'é')
  const text = fc.array(line, { minLength: 1, maxLength: 5 })
  const indented = (lines: string[], by: string) => lines.map((one) => (one === '' ? '' : by + one)).join('\n')
  /** PyYAML lets a closing quote stand further left than its text; the standard does not. */
  const quoted = (quote: string, lines: string[]) => {
    const body = indented(lines, '      ').trimStart()
    return `${quote}${body}${body.endsWith('\n') ? '      ' : ''}${quote}`
  }
  const block = fc
    .tuple(fc.constantFrom('|', '>', '|-', '>-', '|+', '>+'), text)
    .map(([head, lines]) => `${head}\n${indented(['start', ...lines], '      ')}`)
  const double = text.map((lines) =>
    quoted(
      '"',
      lines.map((one) => one.replaceAll('"', '\\"')),
    ),
  )
  const single = text.map((lines) =>
    quoted(
      "'",
      lines.map((one) => one.replaceAll("'", "''")),
    ),
  )
  const plain = fc
    .array(fc.constantFrom('word', "it's", 'a, b', 'é'), { minLength: 1, maxLength: 3 })
    .map((lines) => indented(lines, '      ').trimStart())
  const scalar = fc.oneof(block, double, single, plain)
  const document = fc
    .tuple(scalar, scalar, scalar, fc.constantFrom('', '\n', '\n\n'))
    .map(([a, b, c, end]) => `first: ${a}\nlist:\n  - ${b}\n  - key: ${c}${end}`)
  const sources = fc.sample(document, { numRuns: 1500, seed: 7 })
  const { stdout, status, stderr } = spawnSync('python3', ['-c', oracle], {
    input: JSON.stringify(sources),
    encoding: 'utf8',
    maxBuffer: 2 ** 27,
  })
  expect(status, stderr).toBe(0)
  const answers: (string[] | null)[] = JSON.parse(stdout)
  expect(answers.filter((answer) => answer !== null).length).toBeGreaterThan(1000)
  const differences = sources.flatMap((source, index) => {
    const expected = answers[index]
    const ours = readYamlStrings(source)
    return expected?.every((want) => want === '' || ours.includes(want)) === false ? [{ source, expected, ours }] : []
  })
  expect(differences).toEqual([])
})
