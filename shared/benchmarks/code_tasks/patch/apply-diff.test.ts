import { expect, test } from 'vitest'
import { applyDiff } from './apply-diff.ts'

const five = 'one\ntwo\nthree\nfour\nfive\n'
const files = { 'a.txt': five, 'src/b.txt': 'x\ny\nx\ny\nx\n', 'src/c.txt': 'alone' }
const apply = (diff: string, rewrite = false, before: Record<string, string> = files) => applyDiff(before, diff, { rewrite })
const changed = (diff: string, path = 'a.txt', before: Record<string, string> = files) => {
  const done = apply(diff, false, before)
  return done.ok ? done.files[path] : done.fault
}
const of = (body: string, path = 'a.txt') => `--- a/${path}\n+++ b/${path}\n${body}`

test('[SCORE214] changes apply at their lines, several to a file and several files, in one go', () => {
  const diff = `${of('@@ -1,2 +1,3 @@\n one\n+one and a half\n two\n@@ -5 +6 @@\n-five\n+FIVE\n')}${of('@@ -1,2 +1 @@ here\n-x\n y\n', 'src/b.txt')}`
  const done = apply(`Some words before.\ndiff --git a/a.txt b/a.txt\nindex 1..2 100644\n${diff}`)
  expect(done).toEqual({
    ok: true,
    rewritten: false,
    files: { 'a.txt': 'one\none and a half\ntwo\nthree\nfour\nFIVE\n', 'src/b.txt': 'y\nx\ny\nx\n', 'src/c.txt': 'alone' },
  })
})

test('[SCORE214] a place that is told wrongly is found where the lines stand once, and only there', () => {
  expect(changed(of('@@ -40,2 +40,2 @@\n three\n-four\n+4\n'))).toBe('one\ntwo\nthree\n4\nfive\n')
  expect(changed(of('@@ @@\n-two\n+2\n'))).toBe('one\n2\nthree\nfour\nfive\n')
  expect(changed(of('@@ -9,2 +9,2 @@\n x\n-y\n+z\n', 'src/b.txt'), 'src/b.txt')).toContain('its lines stand at several')
  expect(changed(of('@@ -3,2 +3,2 @@\n x\n-y\n+z\n', 'src/b.txt'), 'src/b.txt')).toBe('x\ny\nx\nz\nx\n')
  // Changes keep their order: what lies before the last one is no place.
  expect(changed(of('@@ -4 +4 @@\n-four\n+4\n@@ -1 +1 @@\n-one\n+1\n'))).toContain('Change 2 of a.txt does not apply')
})

test('[SCORE214] wrong counts are counted anew, empty lines stay, and a removed line may look like the name of a file', () => {
  expect(changed(of('@@ -1,9 +1,9 @@\n one\n-two\n+2\n'))).toBe('one\n2\nthree\nfour\nfive\n')
  expect(changed(of('@@ -1,1 +1,1 @@\n one\n-two\n+2\n three\n\n\n'))).toBe('one\n2\nthree\nfour\nfive\n')
  const spaced = { 'a.txt': 'one\n\ntwo\n' }
  expect(changed(of('@@ -1,3 +1,3 @@\n one\n\n-two\n+2\n'), 'a.txt', spaced)).toBe('one\n\n2\n')
  const dashes = { 'a.txt': '-- old\nrest\n' }
  expect(changed(of('@@ -1,2 +1,2 @@\n--- old\n+++ new\n rest\n'), 'a.txt', dashes)).toBe('++ new\nrest\n')
})

test('[SCORE214] files are made and deleted; names without prefixes are as good, and a folder a is a folder', () => {
  expect(changed('--- /dev/null\n+++ b/new/d.txt\n@@ -0,0 +1,2 @@\n+p\n+q\n', 'new/d.txt')).toBe('p\nq\n')
  expect(changed('--- a/new.txt\n+++ b/new.txt\n@@ -0,0 +1 @@\n+p\n', 'new.txt')).toBe('p\n')
  expect(apply('--- a/src/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-alone\n\\ No newline at end of file\n')).toMatchObject({
    files: { 'a.txt': five, 'src/b.txt': files['src/b.txt'] },
  })
  expect(Object.keys((apply('--- a/src/c.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-alone\n') as { files: object }).files)).not.toContain(
    'src/c.txt',
  )
  expect(changed('--- a.txt\t2026-01-01\n+++ a.txt\t2026-01-02\n@@ -1 +1 @@\n-one\n+1\n')).toBe('1\ntwo\nthree\nfour\nfive\n')
  expect(changed('--- a/x\n+++ a/x\n@@ -1 +1 @@\n-k\n+l\n', 'a/x', { 'a/x': 'k\n' })).toBe('l\n')
  expect(changed(of('@@ -2,0 +3 @@\n+between\n'))).toBe('one\ntwo\nbetween\nthree\nfour\nfive\n')
})

test.each([
  ['--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+p\n', 'has a part that is empty, "." or ".."'],
  ['--- /dev/null\n+++ b/src/../../x\n@@ -0,0 +1 @@\n+p\n', 'has a part that is empty, "." or ".."'],
  ['--- /dev/null\n+++ /etc/x\n@@ -0,0 +1 @@\n+p\n', 'is absolute'],
  ['--- /dev/null\n+++ b//x\n@@ -0,0 +1 @@\n+p\n', 'is absolute'],
  ['--- /dev/null\n+++ b/x\\y\n@@ -0,0 +1 @@\n+p\n', 'holds a backslash'],
  ['--- /dev/null\n+++ b/tests/basics.py\n@@ -0,0 +1 @@\n+p\n', 'nothing below tests may be changed'],
  ['--- /dev/null\n+++ b/Tests\n@@ -0,0 +1 @@\n+p\n', 'nothing below tests may be changed'],
  ['--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n', 'but leaves lines of it'],
  ['--- a/a.txt\n+++ b/other.txt\n@@ -1 +1 @@\n-one\n+1\n', 'renames a.txt to other.txt'],
  ['diff --git a/a.txt b/o.txt\nrename from a.txt\nrename to o.txt\n', 'renames or copies'],
  ['diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n', 'makes a link'],
  ['GIT binary patch\nliteral 0\n', 'binary change'],
  ['--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1 @@\n+p\n', 'which is there already'],
  ['--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-k\n+l\n', 'which is not there'],
  ['--- /dev/null\n+++ b/a.txt/x\n@@ -0,0 +1 @@\n+p\n', 'below a.txt, which is a file'],
  ['--- /dev/null\n+++ /dev/null\n@@ -0,0 +1 @@\n+p\n', 'names no file'],
  [of('@@ -1 +1 @@\n-One\n+1\n'), 'the lines that it says are there are not'],
  [of('@@ -1 +1 @@\n-one \n+1\n'), 'the lines that it says are there are not'],
  [of('@@ -1 +1 @@\n-one\n+1\nand so on\n'), 'begins with none of'],
  [of('@@ -9,0 +10 @@\n+far\n'), 'the lines that it says are there are not'],
  [of('@@ @@\n+somewhere\n'), 'its place is not told'],
  [of('@@ -1 +1 @@\n'), 'is empty'],
  [of('@@ -5 +5 @@\n-five\n\\ No newline at end of file\n+5\n'), 'the file ends in a newline'],
  ['@@ -1 +1 @@\n-one\n+1\n', 'no file is named before it'],
  [of('\n'), 'has no @@ line'],
  ['', 'names no file'],
])('[SCORE215] refused with its reason: %j', (diff, why) => {
  const done = apply(diff)
  expect(done).toEqual({ ok: false, fault: expect.stringContaining(why) })
})

test('[SCORE215] a diff of which one change is refused changes nothing', () => {
  const diff = `${of('@@ -1 +1 @@\n-one\n+1\n')}${of('@@ -1 +1 @@\n-z\n+1\n', 'src/b.txt')}`
  expect(apply(diff)).toEqual({ ok: false, fault: expect.stringContaining('Change 1 of src/b.txt') })
  expect(files['a.txt']).toBe(five)
})

test('[SCORE216] CRLF stays CRLF, mixed ends stay where they are, and the end of a file is as the diff says', () => {
  const windows = { 'a.txt': 'one\r\ntwo\r\nthree\r\n' }
  expect(changed(of('@@ -1,2 +1,3 @@\n one\n-two\n+2\n+2b\n'), 'a.txt', windows)).toBe('one\r\n2\r\n2b\r\nthree\r\n')
  expect(changed(of('@@ -1,2 +1,2 @@\n one\n-two\n+2\n').replaceAll('\n', '\r\n'), 'a.txt', windows)).toBe('one\r\n2\r\nthree\r\n')
  expect(changed(of('@@ -1,2 +1,2 @@\n one\n-two\n+2\n').replaceAll('\n', '\r\n'))).toBe('one\n2\nthree\nfour\nfive\n')
  expect(changed(of('@@ -2 +2 @@\n-two\r\n+2\r\n'), 'a.txt', { 'a.txt': 'one\ntwo\r\nthree\n' })).toBe('one\n2\r\nthree\n')
  const open = { 'a.txt': 'one\ntwo' }
  const none = '\\ No newline at end of file\n'
  expect(changed(of('@@ -1 +1 @@\n-one\n+1\n'), 'a.txt', open)).toBe('1\ntwo')
  expect(changed(of('@@ -1,2 +1,2 @@\n-one\n+1\n two\n'), 'a.txt', open)).toBe('1\ntwo')
  expect(changed(of(`@@ -2 +2 @@\n-two\n${none}+2\n`), 'a.txt', open)).toBe('one\n2\n')
  expect(changed(of(`@@ -2 +2 @@\n-two\n${none}+2\n${none}`), 'a.txt', open)).toBe('one\n2')
  expect(changed(of(`@@ -5 +5 @@\n-five\n+5\n${none}`))).toBe('one\ntwo\nthree\nfour\n5')
  expect(changed(`--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+p\n${none}`, 'n')).toBe('p')
})

test('[SCORE217] with the leniency a diff that only adds is the file, and lines may differ in white space; else it stays refused', () => {
  const whole = '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+p\n+q\n'
  expect(apply(whole, true)).toMatchObject({ ok: true, rewritten: true, files: { 'a.txt': 'p\nq\n' } })
  const lost = of('@@ -1,2 +1,3 @@\n ONE\n+new\n TWO\n')
  expect(apply(lost, true)).toMatchObject({ ok: true, rewritten: true, files: { 'a.txt': 'ONE\nnew\nTWO\n' } })
  const tabs = { 'a.txt': 'if x:\n    y  =  1\n    z = 2\n' }
  const loose = of('@@ -2,2 +2,2 @@\n-\ty = 1\n+    y = 3\n \tz = 2\n')
  expect(apply(loose, false, tabs)).toMatchObject({ ok: false })
  expect(apply(loose, true, tabs)).toMatchObject({ ok: true, rewritten: true, files: { 'a.txt': 'if x:\n    y = 3\n\tz = 2\n' } })
  expect(apply(of('@@ -1 +1 @@\n-none of it\n+1\n'), true)).toMatchObject({ ok: false })
  expect(apply(of('@@ -1 +1 @@\n-one\n+1\n'), true)).toMatchObject({ ok: true, rewritten: false })
  expect(apply('--- /dev/null\n+++ b/tests/x\n@@ -0,0 +1 @@\n+p\n', true)).toMatchObject({ ok: false })
})
