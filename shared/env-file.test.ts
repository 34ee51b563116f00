import { expect, test } from 'vitest'
import { readEnvFile } from './env-file.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const read = (text: string) => readEnvFile(bytes(text), '.env')

test('[CLI350] a .env file is read as people write it', () => {
  const forms = [
    'A=1\nB=two words\n',
    '\uFEFFA=1\r\nB=two words\r\n',
    'A=1\r\uFEFFB=two words',
    'export A=1\nexport B="two words"\n',
    "A = '1' # one\nB=`two words`\n# C=3\n\n",
    'A=1 # one\nB=two words\t# two\n\uFEFF',
    'A="\uFEFF1"\nB=\uFEFFtwo words',
  ]
  for (const form of forms) expect([form, read(form)]).toEqual([form, { ok: true, values: { A: '1', B: 'two words' } }])
})

test('[CLI350] values keep their signs: #, =, quotes within, several lines', () => {
  const text = 'A=p#w=x\nB=\'[{"id":"a"},\n {"id":"b"}]\'\nC="one\\ntwo"\nD=\'one\\ntwo\'\nE=\nF=it\'s\nA.B-c=1\nG="" \n'
  expect(read(text)).toEqual({
    ok: true,
    values: { A: 'p#w=x', B: '[{"id":"a"},\n {"id":"b"}]', C: 'one\ntwo', D: 'one\\ntwo', E: '', F: "it's", 'A.B-c': '1', G: '' },
  })
})

test('[CLI350] a line that cannot be read is refused by its number, without its words', () => {
  const wrong: [string, RegExp][] = [
    ['A=1\nOPENAI_API_KEY: sk-secret\n', /^Line 2 of \.env is written as YAML; write NAME=value\.$/],
    ['A=1\n\n- name: sk-secret', /^Line 3 .* YAML/],
    ['sk-secret', /^Line 1 of \.env cannot be read/],
    ['A="1\nB=sk-secret\n', /^Line 1 of \.env opens a quote/],
    ['A="1" sk-secret', /^Line 1 of \.env has more behind/],
    ['\u200BA=sk-secret', /^Line 1 of \.env cannot be read/],
    ['{"A":"sk-secret"}', /^Line 1 of \.env cannot be read/],
  ]
  for (const [text, says] of wrong) {
    const file = read(text)
    expect([text, file.ok ? '' : file.message]).toEqual([text, expect.stringMatching(says)])
    expect(JSON.stringify(file)).not.toContain('secret')
  }
})

test('[CLI350] UTF-16 and other encodings are refused by name', () => {
  const wide = (text: string, swap: boolean) =>
    new Uint8Array([...text].flatMap((one) => (swap ? [0, one.charCodeAt(0)] : [one.charCodeAt(0), 0])))
  for (const file of [wide('\u{FEFF}A=1', false), wide('A=1', false), wide('A=1', true), new Uint8Array([0xff, 0xfe, 65, 0])])
    expect(readEnvFile(file, '.env')).toEqual({ ok: false, message: '.env is UTF-16, which some editors call Unicode; save it as UTF-8.' })
  expect(readEnvFile(new Uint8Array([65, 61, 0xe4]), 'x.env')).toEqual({ ok: false, message: 'x.env is not UTF-8; save it as UTF-8.' })
})
