import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { strip } from '../../python/text.ts'
import { entryScript, exportLines, lastCommand } from './entry-script.ts'
import { imageTag } from './image-name.ts'
import { knownTrouble, troubleCounts } from './known-troubles.ts'
import { normalisedPatch, stripBinaryHunks } from './patch.ts'
import { readNameList } from './python-list.ts'
import { universalNewlines } from './python-text.ts'
import { isResolved, readOutput } from './read-output.ts'
import { problemStatement } from './statement.ts'

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const hash = '0123456789abcdef0123456789abcdef01234567'

test.each([
  [`instance_NodeBB__NodeBB-${hash}-vnan`, 'NodeBB/NodeBB', `nodebb.nodebb-NodeBB__NodeBB-${hash}`],
  [`instance_element-hq__element-web-${hash}-vnan`, 'element-hq/element-web', `element-hq.element-element-hq__element-web-${hash}`],
  [
    `instance_element-hq__element-web-${hash}-v${hash}`,
    'element-hq/element-web',
    `element-hq.element-element-hq__element-web-${hash}-v${hash}`,
  ],
  [
    'instance_element-hq__element-web-ec0f940ef0e8e3b61078f145f34dc40d1938e6c5-vnan',
    'element-hq/element-web',
    'element-hq.element-web-element-hq__element-web-ec0f940ef0e8e3b61078f145f34dc40d1938e6c5-vnan',
  ],
  [
    `instance_future-architect__vuls-${hash}-v${hash}`,
    'future-architect/vuls',
    `future-architect.vuls-future-architect__vuls-${hash}-v${hash}`,
  ],
  [`instance_instance_a__b-vnan-vnan`, 'A/B', 'a.b-a__b-vnan'],
])('[SCORE245] the image of %s is named by the official rule', (id, repo, tag) => {
  expect(imageTag(id, repo)).toBe(tag)
})

test('[SCORE245] a tag is cut at 128 characters and not before; what is no repository has none', () => {
  const id = (version: number): string => `instance_internetarchive__openlibrary-${hash}-v${'9'.repeat(version)}`
  const whole = imageTag(id(27), 'internetarchive/openlibrary')!
  expect(whole).toBe(`internetarchive.openlibrary-internetarchive__openlibrary-${hash}-v${'9'.repeat(27)}`)
  const cut = imageTag(id(40), 'internetarchive/openlibrary')!
  expect([whole.length < 128, cut.length, cut.startsWith(whole)]).toEqual([true, 128, true])
  expect(imageTag('instance_x', 'x')).toBeNull()
  expect(imageTag('instance_x', 'x/y/z')).toBeNull()
})

test.each([
  [String.raw`['it\'s ok']`, ["it's ok"]],
  [`["it's ok"]`, ["it's ok"]],
  [String.raw`["a | b's", 'say "x"', "back\\slash"]`, ["a | b's", 'say "x"', 'back\\slash']],
  [String.raw`['\x41\u00e9\U0001F600\101\n\t\d\/']`, ['Aé😀A\n\t\\d\\/']],
  [`['''two\n"lines"''', r'\\d', u"ü" 'ber',]`, ['two\n"lines"', '\\d', 'über']],
  [' [ ] ', []],
  [`['a\\\nb']`, ['ab']],
])('[SCORE246] a list of names is read as the Python source that it is: %s', (text, names) => {
  expect(readNameList(text)).toEqual(names)
})

test.each([
  ...[
    '',
    '[',
    "['a'",
    "['a' 1]",
    '[1]',
    '[,]',
    "['a',,]",
    "('a',)",
    "['a'] + []",
    "['a\nb']",
    "[f'a']",
    "[b'a']",
    "[open('x')]",
    "['a'].x",
    "['a]",
  ],
  ...[
    String.raw`['\x4']`,
    String.raw`['\u00g0']`,
    String.raw`['\U00110000']`,
    String.raw`['\N{DASH}']`,
    '[None]',
    "[rb'a']",
    "['a', # b\n]",
  ],
])('[SCORE246] nothing else is read as a list of names, and nothing is evaluated: %s', (text) => {
  expect(readNameList(text)).toBeNull()
})

test('[SCORE247] of the commands that set a repository up only the last line runs', () => {
  expect(lastCommand(' git reset --hard a\ngit clean -fd\ngit checkout a\ngit checkout b -- test/x.js \n\n')).toBe(
    'git checkout b -- test/x.js',
  )
  expect(lastCommand('')).toBe('')
})

test('[SCORE247] the entry script exports what Dockerfiles set, applies the patch between base and tests, and never stops', () => {
  const dockerfiles = ['FROM x\nENV A=1\n  ENV B "two words"\r\nRUN ENV\n', "ENV C='$A'\nENVIRONMENT\n"]
  expect(dockerfiles.flatMap(exportLines)).toEqual(['export A=1', 'export B "two words"', "export C='$A'", 'exportIRONMENT'])
  const script = entryScript({ base_commit: 'abc', last_command: 'git checkout def -- t', test_files: ['t/a.py', 't/b c.py'], dockerfiles })
  const order = [
    'export A=1',
    'cd /app',
    'git reset --hard abc',
    'git checkout abc',
    'git apply -v /workspace/patch.diff',
    'git checkout def -- t',
  ]
  expect(script.split('\n').filter((line) => order.includes(line))).toEqual(order)
  expect(script).toContain('bash /workspace/run_script.sh t/a.py,t/b c.py > /workspace/stdout.log 2> /workspace/stderr.log\n')
  expect(script).toMatch(/python \/workspace\/parser\.py \/workspace\/stdout\.log \/workspace\/stderr\.log \/workspace\/output\.json\n$/)
  expect(script).not.toContain('set -e')
})

test('[SCORE247] texts are stripped and their lines ended as Python does', () => {
  expect(strip('\x1c\x85\u2003 a\ufeff \x1f')).toBe('a\ufeff')
  expect(strip(' \n\t')).toBe('')
  expect(universalNewlines('a\r\nb\rc\n')).toBe('a\nb\nc\n')
})

const text = 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'
const binary = 'diff --git a/i b/i\nindex 1..2\nGIT binary patch\nliteral 3\nabc\n\nliteral 0\nabc\n'

test.each([
  ['', ''],
  [text, text],
  [`${binary}${text}${binary}`, text],
  [`note\n${text}`, `note\n${text}`],
  [`\n \n${text}`, text],
  [binary, ''],
  [text.replace('+b', '+GIT binary patch'), text.replace('+b', '+GIT binary patch')],
  [text.replace('-a\n', ' GIT binary patch\r\n'), text.replace('-a\n', ' GIT binary patch\r\n')],
  [`diff --git a/i b/i\r\nBinary files a/i and b/i differ\r\n`, 'diff --git a/i b/i\r\nBinary files a/i and b/i differ\r\n'],
  [`a\rdiff --git a/i b/i\nBinary files a/i\u2028and b/i differ`, ''],
])('[SCORE248] binary sections go as the official code takes them out: %j', (patch, stripped) => {
  expect(stripBinaryHunks(patch)).toBe(stripped)
})

test('[SCORE248] the last line of a graded patch is ended; an empty patch stays empty', () => {
  expect([normalisedPatch(text.trimEnd()), normalisedPatch(text), normalisedPatch(''), normalisedPatch(binary)]).toEqual([
    text,
    text,
    '',
    '',
  ])
})

const told = (tests: unknown): string => JSON.stringify({ tests })
const a = { name: 'a', status: 'PASSED' }

test.each([
  ['both passed', told([a, { name: 'b', status: 'PASSED' }]), true],
  ['others may fail', told([a, { name: 'b', status: 'PASSED' }, { name: 'z', status: 'FAILED' }]), true],
  ['one of two entries is enough', told([a, { name: 'b', status: 'FAILED' }, { name: 'b', status: 'PASSED' }]), true],
  ['a NaN elsewhere', `{"tests":[{"name":"a","status":"PASSED","s":NaN},{"name":"b","status":"PASSED"}],"t":-Infinity}`, true],
  ['a name that is no text beside', told([a, { name: 7, status: 'PASSED' }, { name: 'b', status: 'PASSED' }]), true],
  ['a missing one', told([a]), false],
  ['a failed one', told([a, { name: 'b', status: 'FAILED' }]), false],
  ['small letters', told([a, { name: 'b', status: 'passed' }]), false],
  ['an entry without status', told([a, { name: 'b', status: 'PASSED' }, { name: 'c' }]), false],
  ['a passed entry without name', told([a, { name: 'b', status: 'PASSED' }, { status: 'PASSED' }]), false],
  ['a name that has no hash', told([a, { name: 'b', status: 'PASSED' }, { name: ['c'], status: 'PASSED' }]), false],
  ['an entry that is text', told([a, { name: 'b', status: 'PASSED' }, 'c']), false],
  ['tests as an object', told({ a }), false],
  ['no tests', '{}', false],
  ['a list', '[]', false],
  ['null', 'null', false],
  ['no JSON', '{"tests": [', false],
  ['a byte order mark', `\ufeff${told([a, { name: 'b', status: 'PASSED' }])}`, false],
])('[SCORE250] resolved is where every named test passed: %s', (_, output, resolved) => {
  expect(isResolved(readOutput(bytes(output)), ['a'], ['b'])).toBe(resolved)
})

test('[SCORE250] bytes that are no UTF-8 tell nothing; nothing told resolves what names no test, as officially', () => {
  expect(readOutput(new Uint8Array([0xff]))).toBeNull()
  expect(isResolved(readOutput(bytes('{"tests":[]}')), [], [])).toBe(true)
  expect(isResolved(null, [], [])).toBe(false)
})

test('[SCORE257] instances with known troubles are told by repository and commit, the others are not', () => {
  expect(troubleCounts).toEqual({ goldFails: 15, slowTests: 9 })
  expect(knownTrouble(`instance_NodeBB__NodeBB-00c70ce7${hash.slice(8)}-vnan`)).toBe('gold-fails')
  expect(knownTrouble(`instance_tutao__tutanota-f3ffe17a${hash.slice(8)}-v${hash}`)).toBe('slow-tests')
  expect(knownTrouble(`instance_navidrome__navidrome-00c70ce7${hash.slice(8)}-vnan`)).toBeNull()
  expect(knownTrouble('acme')).toBeNull()
})

test('[SCORE249] the statement is the official one', () => {
  expect(problemStatement({ problem_statement: 'P', requirements: 'R', interface: 'I' })).toBe(
    'P\n\nRequirements:\nR\n\nNew interfaces introduced:\nI',
  )
})

const golden = join(process.env.BENCH_SHARED ?? join(import.meta.dirname, '../../../../shared'), 'golden/swebench_pro.json')
type Golden = { tags: { instance_id: string; repo: string; image: string }[]; patches: { in: string; out: string }[] }

test.skipIf(!existsSync(golden))('[SCORE245] names and patches are those of the official code', () => {
  const { tags, patches } = JSON.parse(readFileSync(golden, 'utf8')) as Golden
  expect(tags.map(({ instance_id, repo }) => `jefzda/sweap-images:${imageTag(instance_id, repo)}`)).toEqual(tags.map(({ image }) => image))
  expect(patches.map((patch) => stripBinaryHunks(patch.in))).toEqual(patches.map(({ out }) => out))
})
