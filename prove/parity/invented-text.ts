import { personNames, pronouns } from '#shared/scorers/ifbench/word-lists.ts'
import type { Draw } from './draw.ts'

const plain =
  `the a of to in and but or so yet for nor is was are with on at by from as it its this that these not all some any one two three
  ship river candle garden winter silver quiet bright slow early happy little people number answer water house morning evening yellow table
  window letter orange engine island summer paper music doctor bridge animal castle flower market story world every again because through
  between something running talked moved write make going eat be been being has level radar civic rotor kayak stats tenet eye noon tiger
  program strength night dark light first last thing plant school church shop drink spring blast crisp`.split(/\s+/)
const rare = [
  ...`café naïve Straße İstanbul ΣΑΣ ὈΔΟΣ Ærø coöperate mother-in-law rock'n'roll don't can't I'm U.S. e.g. p.m. Dr. Mr. St. No. 3.14 1,000 50% 7th
  A.B.C. x2 iPhone McDonald NASA 東京 すし カナ 中文 हिन्दी Москва שלום 😀 ❤️ ²³ १२ 12 42 2024-01-02 $5 #tag @me state-of-the-art well—known «mot»
  “quoted” ‘single’ "straight" 'apostrophe' (paren) [bracket] {brace} cannot gonna wanna gimme d'ye 'tis`.split(/\s+/),
]
const endings = ['.', '.', '.', '.', '?', '?', '!', '!', '...', '?!', '."', '.)', ' 😀', '. ❤️', ';', '', '。', '!!!', '…']

/** Words of all kinds, drawn by how often they matter to a check. */
export function anyWord(draw: Draw): string {
  const from = draw.below(20)
  if (from < 13) return draw.pick(plain)
  if (from < 15) return draw.pick(pronouns)
  if (from < 16) return draw.pick(personNames)
  if (from < 18) return draw.pick(rare)
  const word = draw.pick(plain)
  return from < 19 ? word.toUpperCase() : word[0]!.toUpperCase() + word.slice(1)
}

export const plainWord = (draw: Draw) => draw.pick(plain)

export function phrase(draw: Draw, count: number): string {
  return draw.many(count, () => anyWord(draw)).join(' ')
}

/** A sentence of `count` words; most begin with a capital and end as sentences do. */
export function sentence(draw: Draw, count: number, ending = draw.pick(endings)): string {
  const text = phrase(draw, count)
  return (draw.chance(0.85) ? text.charAt(0).toUpperCase() + text.slice(1) : text) + ending
}

export function sentences(draw: Draw, count: number, longest = 9): string {
  return draw.many(count, () => sentence(draw, draw.between(1, longest))).join(draw.chance(0.2) ? '\n' : ' ')
}
