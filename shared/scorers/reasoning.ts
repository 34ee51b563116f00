import { lstrip } from '../python/text.ts'

const closing = /<\/(?:mm:)?think(?:ing)?>/gi
const opening = /<(?:mm:)?think(?:ing)?>/i

/** A pair of tags around reasoning. `lone`: the end alone shows that reasoning stood before it, as nothing else is written so. */
type ReasoningTag = { name: string; open: string; close: string; lone: boolean }

/**
 * The tags, beside `<think>`, in which servers and models leave reasoning in the text. They count at the beginning of an answer only: further on they are
 * what the answer speaks of. `shared/benchmarks/mmlu_pro/README.md` lists them for readers.
 */
export const reasoningTags: readonly ReasoningTag[] = [
  { name: 'EXAONE, Gemini', open: '<thought>', close: '</thought>', lone: false },
  { name: 'xLAM, older prompts', open: '<reasoning>', close: '</reasoning>', lone: false },
  { name: 'older prompts', open: '<reason>', close: '</reason>', lone: false },
  { name: 'Magistral', open: '[THINK]', close: '[/THINK]', lone: true },
  { name: 'Gemma', open: '<|channel>', close: '<channel|>', lone: true },
  { name: 'Kimi', open: '◁think▷', close: '◁/think▷', lone: true },
  { name: 'Seed', open: '<seed:think>', close: '</seed:think>', lone: true },
  { name: 'LongCat', open: '<longcat_think>', close: '</longcat_think>', lone: true },
  { name: 'Command A', open: '<|START_THINKING|>', close: '<|END_THINKING|>', lone: true },
  { name: 'OpenThinker', open: '<|begin_of_thought|>', close: '<|end_of_thought|>', lone: true },
]

/** The message of gpt-oss that is the answer, behind its analysis: `<|channel|>final<|message|>`, also with a constraint between. */
const finalMessage = /<\|channel\|>final[^<]{0,40}(?:<\|constrain\|>[^<]{0,40})?<\|message\|>/g
const harmonyStart = /^\s*(?:<\|start\|>assistant)?(?:<\|channel\|>|(?:analysis|commentary|final)<\|message\|>)/
const harmonyEnd = /<\|(?:return|end)\|>\s*$/
/** The same where a server left the special tokens out: `analysis…assistantfinal…`. */
const bareStart = /^\s*(?:assistant)?analysis/
const bareFinal = 'assistantfinal'

type Scored = { text: string; truncated_reasoning: boolean }

/**
 * The part of a model's answer that is scored (reference 0.3): what follows the last closing think tag, without leading whitespace;
 * nothing when reasoning was opened and never closed; otherwise the text byte for byte. Other tags of reasoning (`reasoningTags`, gpt-oss) are cut at the
 * beginning of an answer.
 */
export function scoringInput(text: string): Scored {
  if (text.includes('<')) {
    const end = thinkEnds(text).at(-1)
    if (end !== undefined) return cutAt(text, end)
    if (opening.test(text)) return { text: '', truncated_reasoning: true }
  }
  return withoutTags(text) ?? withoutHarmony(text) ?? { text, truncated_reasoning: false }
}

/** Where the closing think tags of a text end. */
export const thinkEnds = (text: string): number[] => [...text.matchAll(closing)].map(({ 0: tag, index }) => index + tag.length)

const cutAt = (text: string, end: number): Scored => ({ text: lstrip(text.slice(end)), truncated_reasoning: false })

/** Cuts the blocks of reasoning with which a text begins, or what stands before an end that stands alone; null where there is neither. */
function withoutTags(text: string): Scored | null {
  if (!/[<[◁]/.test(text)) return null
  let rest = text
  for (let tag = openedBy(rest); tag; tag = openedBy(rest)) {
    const end = ends.get(tag)!.exec(rest)
    if (!end) return { text: '', truncated_reasoning: true }
    rest = rest.slice(end.index + tag.close.length)
  }
  if (rest.length < text.length) return cutAt(rest, 0)
  for (const { close, lone } of reasoningTags) {
    const at = lone ? text.indexOf(close) : -1
    if (at >= 0 && !isQuoted(text, at, close)) return cutAt(text, at + close.length)
  }
  return null
}

const ends = new Map(reasoningTags.map((tag) => [tag, new RegExp(tag.close.replaceAll(/[[\]|/]/g, '\\$&'), 'i')]))

/** The tag with which a text begins, in any case. */
function openedBy(text: string): ReasoningTag | undefined {
  const start = /\S/.exec(text)?.index ?? 0
  if (!'<[◁'.includes(text.charAt(start))) return undefined
  const begun = text.slice(start, start + 24).toLowerCase()
  return reasoningTags.find(({ open }) => begun.startsWith(open.toLowerCase()))
}

/** Whether a tag stands in code or in quotes, as in an answer that speaks of it. */
function isQuoted(text: string, at: number, tag: string): boolean {
  const before = text.slice(0, at)
  const fences = before.match(/^\s*(?:```|~~~)/gm)?.length ?? 0
  return fences % 2 === 1 || (/[`"'“‘]\s*$/.test(before) && /^\s*[`"'”’]/.test(text.slice(at + tag.length)))
}

/** Takes the final message out of gpt-oss's own format; null where a text is none. */
function withoutHarmony(text: string): Scored | null {
  const starts = harmonyStart.test(text)
  if (starts || text.includes('<|start|>assistant<|channel|>final')) {
    const final = [...text.matchAll(finalMessage)].findLast(({ index }) => starts || !isQuoted(text, index, ''))
    const begun = /^\s*final<\|message\|>/.exec(text)?.[0].length
    const end = final ? final.index + final[0].length : begun
    if (end !== undefined) return { ...cutAt(text, end), text: lstrip(text.slice(end)).replace(harmonyEnd, '') }
    return starts ? { text: '', truncated_reasoning: true } : null
  }
  const bare = bareStart.test(text) ? text.lastIndexOf(bareFinal) : -1
  return bare < 0 ? null : cutAt(text, bare + bareFinal.length)
}
