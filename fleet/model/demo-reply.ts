import { hash } from 'node:crypto'
import type { DemoTurn } from '#shared/benchmarks/task.ts'

/** What the caller knows of a prompt: its right answer and a wrong one, each written out in the formats its benchmark reads. */
export type DemoAnswers = { right: string; wrong: string }

/** What the demo model says word by word: a verdict, when it judges its own answers. */
export type DemoReply = { reply: string }

/** What it says as agent or user of a dialogue. */
export type DemoTalk = { turn: DemoTurn }

export type DemoPlan = { chunks: string[]; finish_reason: 'stop' | 'length'; first_ms: number; pause_ms: number; output_tokens: number }

/** Share of known prompts that the demo model answers rightly. */
export const demoRightShare = 0.7

const openings = [
  'Let me think this through step by step.',
  'I start from what the question states.',
  'First I look at what is being asked.',
  'Working from the given facts:',
]
const middles = [
  'Two of the possibilities contradict the premises, so they can be set aside.',
  'The wording leaves one reading that fits all conditions.',
  'Comparing the remaining possibilities, one of them explains every detail.',
  'Checking the simplest case first shows which way it has to go.',
]
const closings = ['That settles it.', 'So the conclusion follows.', 'Nothing else is consistent with this.', 'A second check agrees.']

/** A number in [0, 1) from a prompt and a purpose; the same on every machine. */
export function demoDraw(prompt: string, purpose: string): number {
  return Number.parseInt(hash('sha256', `${purpose}\n${prompt}`).slice(0, 8), 16) / 2 ** 32
}

/** The demo model's text: an invented rationale, then the answer the draw selects, or the plain admission that it does not know. */
export function demoText(prompt: string, answers: DemoAnswers | undefined): string {
  if (!answers) return 'I am a demo model with a handful of canned answers. I do not know the answer to this question.'
  const pick = (list: readonly string[], purpose: string): string => list[Math.floor(demoDraw(prompt, purpose) * list.length)] ?? ''
  const rationale = [pick(openings, 'opening'), pick(middles, 'middle'), pick(closings, 'closing')].join(' ')
  return `${rationale}\n\n${demoDraw(prompt, 'right') < demoRightShare ? answers.right : answers.wrong}`
}

/**
 * How a text is streamed: in pieces of one to three words with pauses, a first token after about a third of `latencyMs`, all by the
 * prompt's hash. A piece counts as a token; `maxTokens` cuts as a real limit would.
 */
export function planDemo(prompt: string, text: string, latencyMs: number, maxTokens: number | null): DemoPlan {
  const words = text.match(/\s*\S+/g) ?? []
  const all: string[] = []
  for (let from = 0; from < words.length; ) {
    const size = 1 + Math.floor(demoDraw(prompt, `piece ${all.length}`) * 3)
    all.push(words.slice(from, from + size).join(''))
    from += size
  }
  const chunks = maxTokens === null ? all : all.slice(0, maxTokens)
  const total_ms = latencyMs * (0.6 + 0.8 * demoDraw(prompt, 'latency'))
  return {
    chunks,
    finish_reason: chunks.length < all.length ? 'length' : 'stop',
    first_ms: total_ms / 3,
    pause_ms: (total_ms * 2) / 3 / Math.max(1, all.length),
    output_tokens: chunks.length,
  }
}
