import { expect, test } from 'vitest'
import { optionsOf } from '../profiles.ts'
import { readChange } from '../solve.ts'
import { findDiff } from './find-diff.ts'

const body = '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n'

test('[SCORE213] the first block fenced as diff is read as it stands, and no other', () => {
  expect(findDiff(`Words\n\`\`\`diff\n${body}\`\`\`\nMore\n\`\`\`diff\nsecond\n\`\`\``)).toEqual({ text: body, closed: true })
  expect(findDiff(`\`\`\`python\nprint()\n\`\`\`\n\`\`\`diff  \n${body}\`\`\``)).toEqual({ text: body, closed: true })
  expect(findDiff(`\`\`\`\`diff\n+\`\`\`\n\`\`\`\nrest\n\`\`\`\`\n`)).toEqual({ text: '+```\n```\nrest\n', closed: true })
  expect(findDiff(`\`\`\`diff\n+\`\`\`js\n \`\`\`\n\`\`\``)).toEqual({ text: '+```js\n ```\n', closed: true })
  for (const none of [
    '',
    body,
    `\`\`\`patch\n${body}\`\`\``,
    `\`\`\`\n${body}\`\`\``,
    ` \`\`\`diff\n${body}\`\`\``,
    `see \`\`\`diff\n${body}`,
  ])
    expect(findDiff(none)).toBeNull()
})

test('[SCORE213] a block that never ends is refused, unless the run allows it; then it is told', () => {
  const cut = `\`\`\`diff\n${body.trimEnd()}`
  expect(findDiff(cut)).toEqual({ text: body, closed: false })
  const files = { x: 'a\n' }
  expect(readChange(cut, files, optionsOf('builtin'))).toMatchObject({
    patch: body,
    leniencies: [],
    refused: expect.stringContaining('never ends'),
  })
  expect(readChange(cut, files, optionsOf('builtin+incomplete'))).toEqual({
    patch: body,
    leniencies: ['incomplete-diff'],
    files: { x: 'b\n' },
  })
  expect(readChange('no', files, optionsOf('builtin'))).toEqual({
    patch: null,
    leniencies: [],
    refused: expect.stringContaining('no block'),
  })
})

test('[SCORE217] each leniency is taken only where it is needed and allowed, and named', () => {
  const fenced = `\`\`\`diff\n${body}\`\`\``
  const all = optionsOf('builtin+tests+incomplete+rewrite')
  expect(readChange(fenced, { x: 'a\n' }, all)).toMatchObject({ leniencies: [], files: { x: 'b\n' } })
  expect(readChange(fenced, { x: 'a \n' }, all)).toMatchObject({ leniencies: ['diff-rewrite'], files: { x: 'b\n' } })
  expect(readChange(fenced, { x: 'a \n' }, optionsOf('builtin+incomplete'))).toMatchObject({ refused: expect.any(String) })
  expect(optionsOf('unknown')).toEqual({ include_tests: false, allow_incomplete_diffs: false, allow_diff_rewrite_fallback: false })
})
