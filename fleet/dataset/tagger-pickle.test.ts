import { expect, test } from 'vitest'
import { readTaggerPickle } from './tagger-pickle.ts'

/** Opcodes of `({'bias': {'NN': -0.5, 'VB': 2.0}}, {'a': 'NN'}, set(['VB', 'NN']))` in protocol 2, as Python 2 writes them. */
const part = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0))
const weights = '}q\x00(U\x04biasq\x01}q\x02(U\x02NNq\x03G\xbf\xe0\0\0\0\0\0\0U\x02VBr\x04\x01\0\0G@\0\0\0\0\0\0\0uu'
const tagdict = '}(U\x01ah\x03u'
const classes = 'c__builtin__\nset\nq\x06](j\x04\x01\0\0h\x03e\x85R'

test('[DATA84] the pickle of a tagger becomes the files that Python would write as JSON', () => {
  expect(readTaggerPickle(part(`\x80\x02${weights}${tagdict}${classes}\x87.`), 'x')).toEqual({
    'weights.json': '{"bias": {"NN": -0.5, "VB": 2.0}}',
    'tagdict.json': '{"a": "NN"}',
    'classes.json': '["NN", "VB"]',
  })
})

test.each([
  ['a call of another function', `\x80\x02${weights}${tagdict}cposix\nsystem12345(U\x02lse\x85R\x87.`],
  ['an unknown opcode', '\x80\x02i__main__\nX\n.'],
  ['something else', '\x80\x02](U\x01ae.'],
  ['a cut file', `\x80\x02${weights}`],
  ['nothing', ''],
  ['items without a dictionary', '\x80\x02(U\x01aU\x01bu.'],
])('[DATA84] a pickle with %s is refused', (_what, text) => {
  expect(() => readTaggerPickle(part(text), 'x')).toThrow(/dataset\/bad-record: x: not a readable tagger/)
})
