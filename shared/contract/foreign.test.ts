import { expect, test } from 'vitest'
import * as z from 'zod'
import { foreign, foreignSource, withheldText, withholdForeign } from './foreign.ts'

const words = foreign('provider', z.string())
const Shape = z.object({
  ours: z.string(),
  words,
  maybe: words.nullable(),
  absent: words.optional(),
  list: z.array(z.object({ words, n: z.int() })),
  named: z.record(z.string(), z.object({ words })),
  answer: foreign('model', z.string().nullable()),
  messages: foreign('data-set', z.array(z.object({ content: z.string() }))),
  facts: foreign('data-set', z.record(z.string(), z.json())),
  one: z.discriminatedUnion('kind', [z.object({ kind: z.literal('a'), words }), z.object({ kind: z.literal('b'), ours: z.string() })]),
  either: z.union([z.object({ words }), z.object({ n: z.int() })]).nullable(),
})
const value: z.infer<typeof Shape> = {
  ours: 'ours',
  words: 'theirs',
  maybe: 'theirs',
  list: [{ words: 'theirs', n: 1 }],
  named: { a: { words: 'theirs' } },
  answer: 'theirs',
  messages: [{ content: 'theirs' }],
  facts: { a: 'theirs' },
  one: { kind: 'a', words: 'theirs' },
  either: { words: 'theirs' },
}

test('[SEC1] words of others are withheld wherever a contract has them, and nothing else is touched', () => {
  expect(withholdForeign(Shape)(value)).toEqual({
    ours: 'ours',
    words: withheldText,
    maybe: withheldText,
    list: [{ words: withheldText, n: 1 }],
    named: { a: { words: withheldText } },
    answer: null,
    messages: [],
    facts: {},
    one: { kind: 'a', words: withheldText },
    either: { words: withheldText },
  })
  const other = { ...value, maybe: null, one: { kind: 'b' as const, ours: 'ours' }, either: null }
  expect(withholdForeign(Shape)(other)).toMatchObject({ maybe: null, one: { kind: 'b', ours: 'ours' }, either: null })
  expect(value.words).toBe('theirs')
})

test('[SEC1] a contract without such words gives the very value back', () => {
  const plain = z.object({ n: z.int(), deep: z.object({ list: z.array(z.string()) }) })
  const given = { n: 1, deep: { list: ['a'] } }
  expect(withholdForeign(plain)(given)).toBe(given)
  expect([foreignSource(words), foreignSource(plain)]).toEqual(['provider', undefined])
})
