import type { IfbenchId } from '#shared/scorers/ifbench/kwargs.ts'
import { personNames, pronouns } from '#shared/scorers/ifbench/word-lists.ts'
import type { Draw } from './draw.ts'
import { anyWord, phrase, plainWord, sentence, sentences } from './invented-text.ts'

/** An answer that meets an instruction or just misses it. */
export type Maker = (draw: Draw) => { kwargs: Record<string, unknown>; text: string }
export type Makers = Partial<Record<IfbenchId, Maker>>

const near = (draw: Draw, wanted: number, by = 1) => Math.max(0, wanted + draw.between(-by, by))
const mark = (draw: Draw) => draw.pick(['', '', '', ',', '.', '!', "'", ';', '"', '-'])
const alphabet = 'abcdefghijklmnopqrstuvwxyz'
const withInitial = (draw: Draw, letter: string) => letter + plainWord(draw)
const palindromes = [
  'level',
  'radar',
  'civic',
  'rotor',
  'kayak',
  'madam',
  'Refer',
  'tenet',
  'stats',
  'solos',
  'noon',
  'reviver',
  "m'adam",
  '12321',
  'été té',
  'ΣΑΣΑΣ',
]
const conjunctions = ['and', 'but', 'for', 'nor', 'or', 'so', 'yet', 'And', 'but,', 'for', '(or)', 'YET', 'so.', 'an', 'because']
const verbs = [
  'Run',
  'Make',
  'running',
  'Go',
  'eat',
  'Write',
  'The',
  'Is',
  'A',
  'Quickly',
  'Be',
  "Don't",
  'Having',
  'Book',
  '"Take',
  '1999',
  'well-made',
  'Walked',
  'Sings',
]
const japanese = ['すし', '東京', 'カナ', '水', 'ー', '中文', '12', 'word', '…', '---', '한글', '３']

/** `keyword` at place `place` of sentence `order`, give or take one. */
function placed(draw: Draw, keyword: string, order: number, place: number): string {
  return draw
    .many(near(draw, order), (index) => {
      const words = phrase(draw, draw.between(2, 6)).split(' ')
      if (index === order - 1 || draw.chance(0.1)) words.splice(Math.min(words.length, near(draw, place - 1)), 0, keyword)
      return words.join(' ') + draw.pick(['.', '.', '!', '?'])
    })
    .join(' ')
}

export const wordAnswers: Makers = {
  'count:word_count_range': (draw) => {
    const min = draw.between(1, 30)
    const kwargs = { min_words: min, max_words: min + draw.between(0, 4) }
    return { kwargs, text: phrase(draw, near(draw, min + 1, 3)) }
  },
  'count:unique_word_count': (draw) => {
    const N = draw.between(2, 20)
    const words = draw.many(near(draw, N, 3), () => anyWord(draw) + mark(draw))
    return { kwargs: { N }, text: [...words, ...draw.many(draw.below(4), () => draw.pick([...words, '-', '...', 'The', 'the']))].join(' ') }
  },
  'count:conjunctions': (draw) => ({
    kwargs: { small_n: draw.between(1, 6) },
    text: draw.many(draw.between(1, 14), () => (draw.chance(0.6) ? draw.pick(conjunctions) : anyWord(draw))).join(' '),
  }),
  'count:person_names': (draw) => {
    const N = draw.between(1, 8)
    const names = draw.shuffled(personNames).slice(0, near(draw, N, 2))
    return {
      kwargs: { N },
      text: names
        .map((name) => name + draw.pick([',', "'s", '.', ' and', 's', '-', '_', '\u0301', '']) + (draw.chance(0.2) ? anyWord(draw) : ''))
        .join(' '),
    }
  },
  'count:numbers': (draw) => {
    const N = draw.between(1, 6)
    const numbers = draw.many(near(draw, N), () => draw.pick(['7', '1,234.50', '2024-01-02', '²', '٣', '½', '3rd', '10%', 'x9y9', '१२']))
    return { kwargs: { N }, text: numbers.map((number) => `${anyWord(draw)} ${number}`).join(draw.pick([' ', ', ', '. '])) }
  },
  'count:punctuation': (draw) => ({
    kwargs: {},
    text: draw
      .shuffled(['.', ',', '!', '?', ';', ':', '?!', '!?', '‽', '?!', '!'].slice(0, draw.between(6, 11)))
      .map((sign) => plainWord(draw) + sign)
      .join(' '),
  }),
  'count:words_japanese': (draw) => {
    const N = draw.between(1, 5)
    const words = draw.many(
      draw.between(1, 15),
      (index) => ((index + 1) % N === 0 && draw.chance(0.9) ? draw.pick(japanese) : anyWord(draw)) + mark(draw),
    )
    return { kwargs: { N }, text: words.join(' ') }
  },
  'count:pronouns': (draw) => {
    const N = draw.between(1, 10)
    return {
      kwargs: { N },
      text: draw.many(near(draw, N, 2), () => `${draw.pick(pronouns)}${draw.pick(['', ',', "'s", '/her', '.', "'ll", ' saw'])}`).join(' '),
    }
  },
  'count:keywords_multiple': (draw) => {
    const words = draw.shuffled(['salt', 'tide', 'rope', 'gull', 'Anchor', 'aa', 'cat ', 'Σας']).slice(0, 5)
    const kwargs = Object.fromEntries(words.map((word, index) => [`keyword${index + 1}`, word]))
    const all = [1, 2, 3, 5, 7].flatMap((count, index) => draw.many(draw.chance(0.93) ? count : near(draw, count), () => words[index]!))
    return {
      kwargs,
      text: draw
        .shuffled(all)
        .map((word) => draw.pick([word, word, word, word.toUpperCase(), `${word}s`]))
        .join(' '),
    }
  },
  'ratio:stop_words': (draw) => ({
    kwargs: { percentage: draw.between(5, 70) },
    text: draw
      .many(draw.between(1, 20), () =>
        draw.chance(0.4) ? draw.pick(['the', 'a', 'is', 'it', "don't", 'Of', 'very', 's', 't', 'now', 'I']) : anyWord(draw),
      )
      .join(' '),
  }),
  'words:alphabet': (draw) => {
    const start = draw.below(26)
    const words = draw.many(
      draw.between(1, 30),
      (index) => withInitial(draw, alphabet[(start + index + (draw.chance(0.02) ? 1 : 0)) % 26]!) + mark(draw),
    )
    return { kwargs: {}, text: words.map((word) => (draw.chance(0.3) ? word.toUpperCase() : word)).join(' ') }
  },
  'words:vowel': (draw) => ({
    kwargs: {},
    text: phrase(draw, draw.between(1, 6)).replace(draw.pick([/[eE]/g, /[ouOU]/g, /[aiAI]/g]), draw.pick(['', 'a', 'y'])),
  }),
  'words:consonants': (draw) => ({
    kwargs: {},
    text: draw
      .many(draw.between(1, 7), () =>
        draw.pick(
          ['strength', 'night', 'plant', 'first', "sh'y", 'Church', 'crisp.', 'w-k', 'eye', 'Straße'].slice(0, draw.between(6, 10)),
        ),
      )
      .join(' '),
  }),
  'words:palindrome': (draw) => ({ kwargs: {}, text: draw.many(draw.between(7, 15), () => draw.pick(palindromes) + mark(draw)).join(' ') }),
  'words:prime_lengths': (draw) => ({
    kwargs: {},
    text: draw
      .many(draw.between(1, 6), () =>
        draw.pick(['an', 'old', 'seven', 'fourths', 'a', 'gate', 'do-n', 'élève', '😀😀', 'c.a.t.'].slice(0, draw.between(4, 10))),
      )
      .join(' '),
  }),
  'words:start_verb': (draw) => ({
    kwargs: {},
    text: `${draw.pick(draw.chance(0.75) ? verbs : [anyWord(draw)])} ${phrase(draw, draw.below(5))}`.trim(),
  }),
  'words:repeats': (draw) => {
    const small_n = draw.between(1, 4)
    const words = draw.many(draw.between(2, 6), () => plainWord(draw))
    return {
      kwargs: { small_n },
      text: draw
        .shuffled(words.flatMap((word) => draw.many(draw.between(1, small_n + (draw.chance(0.2) ? 1 : 0)), () => word + mark(draw))))
        .join(' '),
    }
  },
  'words:odd_even_syllables': (draw) => ({
    kwargs: {},
    text: draw
      .many(draw.between(1, 9), (index) =>
        draw.pick(
          index % 2
            ? ['tiger', 'paper', 'yellow', 'window', 'little']
            : draw.chance(0.9)
              ? ['cat', 'animal', 'dog', 'house', 'eye']
              : [anyWord(draw)],
        ),
      )
      .join(' '),
  }),
  'words:last_first': (draw) => {
    let last = plainWord(draw)
    const parts = draw.many(draw.between(1, 5), () => {
      const first = draw.chance(0.93) ? last : plainWord(draw)
      last = plainWord(draw)
      return `${first.charAt(0).toUpperCase()}${first.slice(1)}${draw.chance(0.05) ? ',' : ''} ${phrase(draw, draw.below(4))} ${last}${draw.pick(['.', '.', '!', '?', '."'])}`
    })
    return { kwargs: {}, text: parts.join(' ') }
  },
  'words:paragraph_last_first': (draw) => ({
    kwargs: {},
    text: draw
      .many(draw.between(1, 4), () => {
        const word = anyWord(draw)
        return draw.pick([
          `${word} ${phrase(draw, 3)} ${word}${mark(draw)}`,
          `${word.toUpperCase()} ${word}.`,
          '',
          word,
          draw.chance(0.2) ? phrase(draw, 3) : word,
        ])
      })
      .join('\n'),
  }),
  'words:no_consecutive': (draw) => ({
    kwargs: {},
    text: draw
      .many(draw.between(1, 8), (index) => withInitial(draw, alphabet[draw.chance(0.1) ? 0 : (index * 7) % 26]!) + mark(draw))
      .join(' '),
  }),
  'words:keywords_specific_position': (draw) => {
    const kwargs = { keyword: draw.pick(['moon', 'giggle', 'Slowly', "can't"]), n: draw.between(1, 4), m: draw.between(1, 5) }
    return { kwargs, text: placed(draw, draw.pick([kwargs.keyword, kwargs.keyword, kwargs.keyword.toUpperCase()]), kwargs.n, kwargs.m) }
  },
  'words:words_position': (draw) => {
    const keyword = draw.pick(['whisper', 'Vibrant', 'despite'])
    const [second, late] = draw.many(2, () => (draw.chance(0.9) ? keyword : anyWord(draw)))
    return {
      kwargs: { keyword },
      text: `${anyWord(draw)} ${second} ${phrase(draw, draw.below(4))} ${late} ${plainWord(draw)}${draw.pick(['.', '.', '', '!', '."', '...', '?!', ')'])}`,
    }
  },
  'sentence:keyword': (draw) => {
    const kwargs = { word: draw.pick(['cat', 'eat', 'giraffe', 'Σας', 'K-9']), N: draw.between(1, 5) }
    return {
      kwargs,
      text: placed(draw, draw.pick([kwargs.word, kwargs.word.toUpperCase(), `${kwargs.word}s`, `(${kwargs.word})`]), kwargs.N, 2),
    }
  },
  'sentence:increment': (draw) => {
    const small_n = draw.between(1, 3)
    const start = draw.between(1, 4)
    return {
      kwargs: { small_n },
      text: draw
        .many(draw.between(1, 4), (index) =>
          sentence(draw, start + index * small_n + (draw.chance(0.05) ? 1 : 0), draw.pick(['.', '.', '!', '?'])),
        )
        .join(' '),
    }
  },
  'sentence:alliteration_increment': (draw) => ({
    kwargs: {},
    text: draw
      .many(draw.between(1, 4), (index) => {
        const letter = draw.pick(['b', 's', 'é'])
        const run = draw.many(index * 2 + draw.below(3), () => withInitial(draw, letter))
        return `${[...run, ...(draw.chance(0.3) ? [anyWord(draw)] : [])].join(' ') || 'Word'}${draw.pick(['.', '!', '?'])}`
      })
      .map((text) => text.charAt(0).toUpperCase() + text.slice(1))
      .join(' '),
  }),
  'ratio:sentence_type': (draw) => ({
    kwargs: {},
    text: [
      ...draw.many(near(draw, 2), () => sentence(draw, 3, '.')),
      ...draw.many(1, () => sentence(draw, 3, '?')),
      sentences(draw, draw.below(3)),
    ].join(' '),
  }),
  'ratio:sentence_balance': (draw) => ({
    kwargs: {},
    text: draw
      .shuffled(['.', '?', '!'])
      .map((ending) => draw.many(draw.chance(0.85) ? 1 : 2, () => sentence(draw, 3, ending)).join(' '))
      .join(' '),
  }),
  'ratio:sentence_words': (draw) => {
    const words = draw.shuffled(['Cats sat.', 'Dogs ran.', 'Cows ate.', 'Owls fly!', 'Ants dig?', 'Élan vit.', 'Cats sat.', 'Longer one.'])
    return { kwargs: {}, text: words.slice(0, draw.chance(0.85) ? 3 : draw.between(2, 4)).join(' ') }
  },
}
