import { countOf, hasWord, wordRuns } from '../../python/text.ts'
import type { Instruction } from '../../scorers/instructions/check.ts'
import { fillers, inLanguage } from './demo-sentences.ts'

type Arguments = Readonly<Record<string, unknown>>
/** Instructions by id; of an id that is listed twice, both. */
type Wanted = (id: string) => Arguments[]

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' ? Math.min(value, 5000) : 0)
const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [])
const repeat = (count: number, part: (place: number) => string): string[] => Array.from({ length: count }, (_, i) => part(i + 1))
const lower = (kwargs: Arguments, relation: string, count: string): number =>
  kwargs[relation] === 'at least' ? numberOf(kwargs[count]) : 0

/** Sentences in which neither a forbidden word nor a letter or word that has to be rare occurs. */
function usable(wanted: Wanted): string[] {
  const forbidden = wanted('keywords:forbidden_words').flatMap((kwargs) => textsOf(kwargs.forbidden_words))
  const rare = wanted('keywords:frequency').filter((kwargs) => kwargs.relation === 'less than')
  const rareLetters = wanted('keywords:letter_frequency').filter((kwargs) => kwargs.let_relation === 'less than')
  const languages = wanted('language:response_language').flatMap((kwargs) => inLanguage[textOf(kwargs.language)] ?? [])
  const fits = (sentence: string) =>
    !forbidden.some((word) => hasWord(sentence, word, { ignoreCase: true })) &&
    !rare.some((kwargs) => sentence.toLowerCase().includes(textOf(kwargs.keyword).toLowerCase())) &&
    !rareLetters.some((kwargs) => countOf(sentence.toLowerCase(), textOf(kwargs.letter)) > 0)
  const found = [...languages, ...fillers].filter(fits)
  if (languages.length > 0) return found.slice(0, languages.length)
  return found.length > 0 ? found : ['Hm.']
}

/** One paragraph with all that is asked of words, letters, sentences and marks within the text. */
function body(wanted: Wanted): string {
  const sentences = usable(wanted)
  const parts = [sentences[0]!]
  for (const kwargs of wanted('keywords:existence')) parts.push(`Then came ${textsOf(kwargs.keywords).join(' and ')}.`)
  for (const kwargs of wanted('keywords:frequency'))
    parts.push(...repeat(lower(kwargs, 'relation', 'frequency'), () => `So ${textOf(kwargs.keyword)}.`))
  for (const kwargs of wanted('keywords:letter_frequency')) {
    const count = lower(kwargs, 'let_relation', 'let_frequency')
    if (count > 0) parts.push(`${textOf(kwargs.letter).repeat(count)}.`)
  }
  for (const kwargs of wanted('change_case:capital_word_frequency'))
    parts.push(...repeat(lower(kwargs, 'capital_relation', 'capital_frequency'), () => 'Please NOTE.'))
  for (const kwargs of wanted('detectable_content:number_placeholders'))
    parts.push(...repeat(numberOf(kwargs.num_placeholders), (place) => `Fill in [part ${place}].`))
  for (const kwargs of wanted('detectable_format:number_highlighted_sections'))
    parts.push(...repeat(numberOf(kwargs.num_highlights), (place) => `Mind *point ${place}* here.`))
  const words = Math.max(0, ...wanted('length_constraints:number_words').map((kwargs) => lower(kwargs, 'relation', 'num_words')))
  const count = Math.max(0, ...wanted('length_constraints:number_sentences').map((kwargs) => lower(kwargs, 'relation', 'num_sentences')))
  for (let length = wordRuns(parts.join(' ')).length, next = 1; length < words || parts.length < count; next++) {
    const sentence = sentences[next % sentences.length]!
    length += Math.max(1, wordRuns(sentence).length)
    parts.push(sentence)
  }
  return parts.join(' ')
}

/** The paragraph among lines and paragraphs of the form that is asked. */
function laidOut(text: string, wanted: Wanted): string {
  let found = text
  for (const kwargs of wanted('detectable_format:number_bullet_lists'))
    found += repeat(numberOf(kwargs.num_bullets), (place) => `\n* Item ${place}`).join('')
  for (const kwargs of wanted('detectable_format:multiple_sections')) {
    const lines = repeat(numberOf(kwargs.num_sections), (place) => `${textOf(kwargs.section_spliter)} ${place}`)
    found = `${lines.join('\nIt has begun.\n')}\n${found}`
  }
  for (const kwargs of wanted('length_constraints:number_paragraphs'))
    found = [found, ...repeat(numberOf(kwargs.num_paragraphs) - 1, () => 'There is more.')].join('\n***\n')
  for (const kwargs of wanted('length_constraints:nth_paragraph_first_word')) {
    const paragraphs = repeat(numberOf(kwargs.num_paragraphs), (place) => (place === 1 ? found : 'There is more.'))
    const nth = numberOf(kwargs.nth_paragraph) - 1
    if (nth in paragraphs) paragraphs[nth] = `${textOf(kwargs.first_word)} ${paragraphs[nth]}`
    found = paragraphs.join('\n\n')
  }
  return found
}

/** What goes before, after and around the whole text. */
function framed(text: string, wanted: Wanted): string {
  let found = text
  if (wanted('detectable_format:constrained_response').length > 0) found = `My answer is yes. ${found}`
  if (wanted('detectable_format:title').length > 0) found = `<<An answer>>\n${found}`
  if (wanted('combination:two_responses').length > 0) found = `${found}\n******\n${found} Once more.`
  for (const kwargs of wanted('combination:repeat_prompt')) found = `${textOf(kwargs.prompt_to_repeat)}\n${found}`
  for (const kwargs of wanted('detectable_content:postscript')) found = `${found}\n${textOf(kwargs.postscript_marker)} Farewell.`
  for (const kwargs of wanted('startend:end_checker')) found = `${found}\n${textOf(kwargs.end_phrase)}`
  if (wanted('detectable_format:json_format').length > 0) found = JSON.stringify({ answer: found })
  if (wanted('startend:quotation').length > 0) found = `"${found}"`
  if (wanted('punctuation:no_comma').length > 0) found = found.replaceAll(',', '')
  if (wanted('change_case:english_capital').length > 0) found = found.toUpperCase()
  if (wanted('change_case:english_lowercase').length > 0) found = found.toLowerCase()
  return found
}

/** An answer that follows the instructions where they do not contradict each other: every one of the sample's items, most of the data set's. */
export function followingAnswer(instructions: readonly Instruction[]): string {
  const wanted: Wanted = (id) => instructions.filter((one) => one.id === id).map(({ kwargs }) => kwargs)
  return framed(laidOut(body(wanted), wanted), wanted)
}

const aside = 'Well, Okay, this answer leaves the request aside.'

/** An answer that breaks the first instruction. */
export function brokenAnswer([first]: readonly Instruction[]): string {
  if (!first) return aside
  const { id, kwargs } = first
  const times = (count: unknown, part: string): string => `${aside} ${repeat(numberOf(count), () => part).join(' ')}`
  if (id === 'keywords:forbidden_words') return `${aside} It says ${textsOf(kwargs.forbidden_words)[0]}.`
  if (id === 'length_constraints:number_paragraphs') return times(numberOf(kwargs.num_paragraphs), '\n***\nMore')
  if (!Object.values(kwargs).includes('less than')) return aside
  if (id === 'keywords:frequency') return times(kwargs.frequency, textOf(kwargs.keyword))
  if (id === 'keywords:letter_frequency') return times(kwargs.let_frequency, textOf(kwargs.letter))
  if (id === 'change_case:capital_word_frequency') return times(kwargs.capital_frequency, 'NOTE')
  return times(kwargs.num_words ?? kwargs.num_sentences, 'This is one more.')
}
