import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { floatText, readFloat } from '../python/number.ts'
import { stringRepr } from '../python/repr.ts'
import { parseJsonReply } from './json-reply.ts'
import { parseXmlReply, salvageXml } from './xml-reply.ts'

type Golden = {
  name: string
  reply: string
  read: { commands: [string, number][]; is_task_complete: boolean; error: string; warning: string; analysis: string; plan: string }
}
const golden = readFileSync(new URL('testing/golden-replies.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line): Golden => JSON.parse(line))

const reply = (commands: string, more = '') => `{"analysis":"a","plan":"p","commands":${commands}${more}}`

test.each(golden)('[TERM1] the golden reply $name is read as upstream reads it', ({ reply: text, read }) => {
  for (const harness of ['harbor', 'terminal-bench'] as const) {
    const { commands, complete, ...rest } = parseJsonReply(text, harness)
    expect({
      ...rest,
      is_task_complete: complete,
      commands: commands.map(({ keystrokes, duration_sec }) => [keystrokes, duration_sec]),
    }).toEqual(read)
  }
  expect(golden).toHaveLength(16)
})

// What Harbor 0.25.0 says under Python 3.12, copied from its answers.
test.each([
  ['{"analysis": tru}', 'Invalid JSON: Expecting value: line 1 column 14 (char 13) | Content: \'{"analysis": tru}\''],
  ['{"a" 1}', "Invalid JSON: Expecting ':' delimiter: line 1 column 6 (char 5) | Content: '{\"a\" 1}'"],
  ['{"a": 1\n "b": 2}', 'Invalid JSON: Expecting \',\' delimiter: line 2 column 2 (char 9) | Content: \'{"a": 1\\n "b": 2}\''],
  ['{"😀": "\\x"}', 'Invalid JSON: Invalid \\escape: line 1 column 8 (char 7) | Content: \'{"😀": "\\\\x"}\''],
  ['{"a": "\\u12"}', 'Invalid JSON: Invalid \\uXXXX escape: line 1 column 9 (char 8) | Content: \'{"a": "\\\\u12"}\''],
  ['{"a": 1,}', 'Invalid JSON: Expecting property name enclosed in double quotes: line 1 column 9 (char 8) | Content: \'{"a": 1,}\''],
  ['{"a": "it\'s\x07"}', `Invalid JSON: Invalid control character at: line 1 column 12 (char 11) | Content: '{"a": "it\\'s\\x07"}'`],
  [
    `{"a": ${'1'.repeat(200)} 2}`,
    `Invalid JSON: Expecting ',' delimiter: line 1 column 208 (char 207) | Content preview: '{"a": ${'1'.repeat(94)}'...`,
  ],
])('[TERM1] %j is refused in the words of Python', (text, error) => {
  expect(parseJsonReply(text).error).toBe(error)
})

test('[TERM1] durations, truth and repeated keys are those of Python', () => {
  const durations =
    '[{"keystrokes":"","duration":true},{"keystrokes":"","duration":NaN},{"keystrokes":"","duration":-Infinity},{"keystrokes":"","duration":1e400},{"keystrokes":"x\\n","duration":1,"duration":2}]'
  expect(parseJsonReply(reply(durations)).commands.map(({ duration_sec }) => duration_sec)).toEqual([
    1,
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    2,
  ])
  const said = ['true', '"YES"', '"1"', '1', '[0]', 'NaN'].map((value) => parseJsonReply(reply('[]', `,"task_complete":${value}`)).complete)
  expect(said).toEqual([true, true, true, true, true, true])
  const unsaid = ['false', '"done"', '""', '0', '-0.0', '[]', '{}', 'null'].map(
    (value) => parseJsonReply(reply('[]', `,"task_complete":${value}`)).complete,
  )
  expect(unsaid).toEqual(unsaid.map(() => false))
})

test('[TERM1] warnings stand in order, one a line, behind the one of a correction', () => {
  const text = `so: {"plan":1,"commands":[{"keystrokes":"a","z":1},{"keystrokes":"b","duration":"1"}],"analysis":"a","task_complete":2} {`
  expect(parseJsonReply(text).warning.split('\n')).toEqual([
    '- Extra text detected before JSON object',
    '- Extra text detected after JSON object',
    "- Field 'plan' should be a string",
    '- Fields appear in wrong order. Found: plan → commands → analysis, expected: analysis → plan → commands',
    "- Field 'task_complete' should be a boolean or string",
    '- Command 1: Missing duration field, using default 1.0',
    '- Command 1: Unknown fields: z',
    '- Command 1 should end with newline when followed by another command. Otherwise the two commands will be concatenated together on the same line.',
    '- Command 2: Invalid duration value, using default 1.0',
  ])
  const cut = parseJsonReply('{"analysis":"a","plan":"p","commands":[]')
  expect(cut.warning).toBe('- AUTO-CORRECTED: Fixed incomplete JSON by adding missing closing brace - please fix this in future responses')
})

test('[TERM1] empty keys wait without a warning at Harbor, not at the harness before it', () => {
  const text = reply('[{"keystrokes":"","duration":1},{"keystrokes":"a","duration":1}]')
  expect(parseJsonReply(text, 'harbor').warning).toBe('')
  expect(parseJsonReply(text, 'terminal-bench').warning).toContain('Command 1 should end with newline')
})

test('[TERM1] a reply of any size and nesting is read or refused', () => {
  expect(parseJsonReply(reply(`[${'['.repeat(200_000)}${']'.repeat(200_000)}]`)).error).toContain('Nested too deeply')
  expect(parseJsonReply('{b}'.repeat(300_000)).error).toContain('Expecting property name')
  expect(parseJsonReply('{'.repeat(100_000)).error).toBe('No valid JSON found in response')
})

const xml = (commands: string, more = '') =>
  `<response>\n<analysis>a</analysis>\n<plan>p</plan>\n<commands>${commands}</commands>\n${more}</response>`

test('[TERM2] an XML reply gives its keys as they stand', () => {
  const text = xml(
    '\n<keystrokes duration="0.5">a && b\n</keystrokes>\n<keystrokes duration=\'2\'>C-c</keystrokes>\n',
    '<task_complete> TRUE\n</task_complete>',
  )
  expect(parseXmlReply(text)).toEqual({
    commands: [
      { keystrokes: 'a && b\n', duration_sec: 0.5 },
      { keystrokes: 'C-c', duration_sec: 2 },
    ],
    complete: true,
    error: '',
    warning: '- Command 2: Use double quotes for attribute \'duration\': duration="2"',
    analysis: 'a',
    plan: 'p',
  })
})

test('[TERM2] errors and warnings of XML replies are those of Harbor', () => {
  expect(parseXmlReply('hello')).toMatchObject({ error: 'No <response> tag found', warning: '' })
  expect(parseXmlReply('<response><analysis/></response>')).toMatchObject({
    error: 'Missing <commands> section',
    warning: '- Missing <plan> section\n- Missing <commands> section',
  })
  expect(parseXmlReply(xml('')).warning).toMatch(/^- Commands section is empty; not taking any action\./)
  expect(parseXmlReply(xml('', '<task_complete>true</task_complete>'))).toMatchObject({ complete: true, error: '', warning: '' })
  const odd = parseXmlReply(
    `x ${xml('<keystrokes duration="soon" d=1>a &amp; b</keystrokes><keystrokes>c</keystrokes>', '<note>n</note><plan>q</plan>')} ${xml('')}`,
  )
  expect(odd.warning.split('\n')).toEqual([
    '- Extra text detected before <response> tag',
    '- Extra text detected after </response> tag',
    '- IMPORTANT: Only issue one <response> block at a time. You issued 2 and only the first was executed.',
    '- Unknown tag found: <note>, expected analysis/plan/commands/task_complete',
    '- Multiple <plan> sections found',
    '- Command 1: Attribute \'d\' value should be quoted: d="1"',
    "- Command 1: Unknown attribute 'd' - known attributes are: duration",
    "- Command 1: Invalid duration value 'soon', using default 1.0",
    '- Command 1 should end with newline when followed by another command. Otherwise the two commands will be concatenated together on the same line.',
    '- Command 2: Missing duration attribute, using default 1.0',
    '- Warning: &amp; is read verbatim and not converted to &. NEVER USE &amp;, unless you want these exact characters to appear directly in the output.',
  ])
  expect(parseXmlReply('<response>< ><analysis>a</analysis></response>').error).toBe('Missing <commands> section')
})

test('[TERM2] of an XML reply that was cut a whole block is used, of several none', () => {
  const whole = xml('<keystrokes duration="1">a\n</keystrokes>')
  expect(salvageXml(`${whole}\n<respon`)).toBe(whole)
  expect(salvageXml(whole.slice(0, -3))).toBeNull()
  expect(salvageXml(`<response><commands><keystrokes>a</keystrokes></commands><commands></commands></response>`)).toBeNull()
})

test('[TERM2] numbers and texts are read and shown as by Python', () => {
  const read = ['1', ' 2 ', '1_0', '1__0', '٣', '.5', '5.', '1e3', '0x1', '', 'inf', '-Infinity', '1e'].map(readFloat)
  expect(read).toEqual([1, 2, 10, null, 3, 0.5, 5, 1000, null, null, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, null])
  expect([5, 0.1, 1e16, Number.NaN, Number.NEGATIVE_INFINITY].map(floatText)).toEqual(['5.0', '0.1', '1e+16', 'nan', '-inf'])
  expect(stringRepr('it\'s "x"\n\t\\\x00\u00a0\u200b😀\u{e0001}')).toBe("'it\\'s \"x\"\\n\\t\\\\\\x00\\xa0\\u200b😀\\U000e0001'")
  expect(stringRepr("it's")).toBe('"it\'s"')
})
