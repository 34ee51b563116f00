import { type IfbenchId, ifbenchKwargs } from '#shared/scorers/ifbench/kwargs.ts'
import { type Draw, seededDraw } from './draw.ts'
import { formAnswers } from './form-answers.ts'
import { sentences } from './invented-text.ts'
import type { ParityAnswer } from './parity-answer.ts'
import { pieceOf, varyText } from './vary-text.ts'
import { type Maker, type Makers, wordAnswers } from './word-answers.ts'

/** The sentence that `repeat:repeat_simple` wants is only in the prompts of the data: without them it is never met here. */
function simpleRepeat(fixed: string | null): Maker {
  return (draw) => ({
    kwargs: {},
    text: fixed === null ? 'Only this.' : draw.pick([fixed, ` ${fixed}\n`, fixed.toUpperCase(), fixed.slice(1), `"${fixed}"`]),
  })
}

function anyText(replies: readonly string[], draw: Draw): string {
  if (replies.length > 0 && draw.chance(0.7)) return pieceOf(draw.pick(replies), draw.pick([40, 150, 600]), draw)
  return sentences(draw, draw.between(1, 5))
}

/**
 * `count` answers, in turn for every check of IFBench: most are built to meet their instruction or to miss it by one, some are pieces of recorded
 * replies or invented sentences; more than half of all are then changed in small ways. The same seed gives the same answers.
 * `fixedSentence`: the one of `repeat:repeat_simple`, or null where the data is not at hand.
 */
export function ifbenchAnswers(seed: number, count: number, replies: readonly string[], fixedSentence: string | null): ParityAnswer[] {
  const draw = seededDraw(seed)
  const makers: Makers = { ...wordAnswers, ...formAnswers, 'repeat:repeat_simple': simpleRepeat(fixedSentence) }
  const none: Maker = () => ({ kwargs: {}, text: anyText(replies, draw) })
  const ids = Object.keys(ifbenchKwargs) as IfbenchId[] // the keys of that very record
  return draw.many(count, (index) => {
    const id = ids[index % ids.length]!
    const { kwargs, text } = (makers[id] ?? none)(draw)
    return { id, kwargs, text: varyText(draw.chance(0.12) ? anyText(replies, draw) : text, draw) }
  })
}
