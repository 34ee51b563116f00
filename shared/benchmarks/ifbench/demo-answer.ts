import type { IfbenchId } from '../../scorers/ifbench/kwargs.ts'
import { northernCapitals, personNames } from '../../scorers/ifbench/word-lists.ts'
import type { Instruction } from '../../scorers/instructions/check.ts'

type Arguments = Record<string, string | number>
const times = (part: string, count: number, joint = ' ') => Array.from({ length: count }, () => part).join(joint)
const rows = (header: string, row: (index: number) => string, count: number) =>
  [header, ...Array.from({ length: count }, (_, index) => row(index + 1))].join('\n')

const distinctWords =
  'one evening our small blue boat drifted past quiet reeds while herons fished along that muddy shore under pale autumn light'.split(' ')

/** `count` words that differ. */
function words(count: number): string {
  return Array.from({ length: count }, (_, index) => distinctWords[index] ?? `word${index}`).join(' ')
}

/** Text of which about `percentage` of the character trigrams are in the reference: its beginning, then signs that it lacks. */
function overlapping(reference: string, percentage: number): string {
  const kept = reference.slice(0, 27)
  const shared = kept.length - 2
  const other = Math.round((shared * 100) / percentage) - shared
  return kept + Array.from({ length: other }, (_, index) => String.fromCharCode(0x2460 + index)).join('')
}

const question = (index: number) =>
  [
    `Question ${index}`,
    `Which volcano is ${times('very', index)} high?`,
    ...[...'ABCDE'].map((letter) => `${letter}. Mount ${letter}`),
  ].join('\n')

const following: Partial<Record<IfbenchId, (kwargs: Arguments) => string>> = {
  'count:word_count_range': ({ min_words }) => `${words(Number(min_words))}.`,
  'count:unique_word_count': ({ N }) => `${words(Number(N))}.`,
  'count:conjunctions': () => 'Take soil and water, but not much, or it rots, so wait, for roots are slow, yet firm.',
  'count:person_names': ({ N }) => `On board are ${personNames.slice(0, Number(N)).join(', ')}.`,
  'count:numbers': ({ N }) => `These are the numbers: ${times('7', Number(N), ', ')}.`,
  'count:punctuation': () => 'A play, at last: short; loud! Was it good? I laughed. Again?!',
  'count:words_japanese': ({ N }) => `${words(Number(N) - 1)} こんにちは ${words(Number(N) - 1)} 水`,
  'count:keywords_multiple': (kwargs) =>
    [1, 2, 3, 5, 7].map((count, index) => times(String(kwargs[`keyword${index + 1}`]), count)).join(', '),
  'ratio:overlap': ({ reference_text, percentage }) => overlapping(String(reference_text), Number(percentage)),
  'words:alphabet': () => 'Apples, barns, cows, ducks, eggs, fences, geese.',
  'words:vowel': () => 'A tall dark hill has a calm rill.',
  'words:consonants': () => 'Dark clouds drift, winds strike, branches crack.',
  'words:palindrome': () => 'level radar civic rotor kayak madam refer tenet stats solos',
  'words:prime_lengths': () => 'An old red gate-s hangs here-s.',
  'words:repeats': () => 'Every clock tells its own time.',
  'words:paragraph_last_first': () => 'Waves follow waves\nSalt dries to salt',
  'words:no_consecutive': () => 'The old train goes slowly past many quiet farms.',
  'format:parentheses': () => 'A box (in a box [in a box {in a box (in a box [the last])}]).',
  'format:quotes': () => `He said: "She told me: 'It was called "Dawn"'"`,
  'format:options': ({ options }) => String(options).split(/[/,]/)[0]!,
  'format:newline': () => 'Spring\nSummer\nAutumn\nWinter',
  'format:line_indent': () => 'one\n two\n  three\n   four',
  'format:quote_unquote': () => 'He said "aye", which means yes.',
  'format:list': ({ sep }) => ['saw', 'plane', 'hammer'].map((item) => `${sep} ${item}`).join('\n'),
  'format:thesis': () => '<i>Sleep early.</i> A rested town works better.',
  'format:sub-bullets': () => '* Kitchen\n- a stove\n* Attic\n- a trunk',
  'format:output_template': () => 'My Answer: yes.\nMy Conclusion: it pays.\nFuture Outlook: bright.',
  'format:no_whitespace': () => 'Cornflower.',
  'custom:multiples': () => '14, 21, 28, 35, 42, 49',
  'custom:mcq_count_length': () => [1, 2, 3, 4].map(question).join('\n'),
  'custom:word_reverse': () => 'eagle bald the is it',
  'custom:character_reverse': () => '.elgae dlab ehT',
  'custom:european_capitals_sort': () => northernCapitals.join(', '),
  'custom:csv_city': () => rows('ID,Country,City,Year,Count', (index) => `${index},Norway,Bergen,${2000 + index},${index * 3}`, 7),
  'custom:csv_special_character': () =>
    rows('ProductID,Category,Brand,Price,Stock', (index) => `${index},Tea,"Leaf & Co",4.5,${index}`, 14),
  'custom:csv_quotes': () =>
    rows(
      ['"StudentID"', '"Subject"', '"Grade"', '"Semester"', '"Score"'].join('\t'),
      (index) => [`"${index}"`, '"Botany"', '"B"', '"Spring"', '"81"'].join('\t'),
      3,
    ),
  'custom:date_format_list': () => '1805-12-02, 1806-10-14, 1815-06-18',
  'repeat:repeat_change': ({ prompt_to_repeat }) => `Kindly ${String(prompt_to_repeat).split(' ').slice(1).join(' ')}`,
  'repeat:repeat_span': ({ prompt_to_repeat, n_start, n_end }) => String(prompt_to_repeat).slice(Number(n_start), Number(n_end) + 1),
}

/** Answers that fail where most answers would not; they fail in the loose sense too. */
const failing: Partial<Record<IfbenchId, string>> = {
  'words:repeats': 'a a a a a a a a',
  'words:prime_lengths': 'Four good days went past.',
  'words:consonants': 'A bee.',
  'words:vowel': 'I never could find an answer, you see.',
  'words:no_consecutive': 'Big blue boats bob.',
  'format:quote_unquote': 'He said "aye"',
  'format:sub-bullets': '*',
  'format:line_indent': 'one\ntwo\nthree\nfour',
  'format:newline': 'spring and summer',
  'format:no_whitespace': 'a blue flower',
}

/** An answer that follows instructions of these kinds. Kinds that need tables to be understood get a plain sentence. */
export function followingAnswer(instructions: readonly Instruction[]): string {
  return instructions
    .map(({ id, kwargs }) => following[id as IfbenchId]?.(kwargs as Arguments) ?? 'There is no demo answer for this constraint.') // parsed
    .join('\n')
}

/** An answer that breaks the first of the instructions. */
export function brokenAnswer(instructions: readonly Instruction[]): string {
  return failing[instructions[0]?.id as IfbenchId] ?? 'I would rather talk about something else today.' // one of ours, since parsed
}
