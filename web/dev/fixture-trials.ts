import type { RunItem } from '#shared/contract/api.ts'
import type { PlannedBenchmark, RunSpec } from '#shared/contract/run.ts'
import { briefOf, type TrialRecord } from '#shared/contract/trial.ts'
import { benchmarks, groupsOf } from './fixture-cards.ts'

/** A number in [0, 1) that depends on its arguments only. */
export function chance(...parts: (string | number)[]): number {
  let hash = 2166136261
  for (const letter of parts.join('|')) hash = Math.imul(hash ^ letter.charCodeAt(0), 16777619)
  hash = Math.imul(hash ^ (hash >>> 15), 2246822507)
  return ((hash ^ (hash >>> 13)) >>> 0) / 4294967296
}

const subjects = [
  'A block slides down a frictionless incline of angle 30° and height 2.4 m. What is its speed at the bottom?',
  'Which ruling first applied strict scrutiny to classifications drawn by a state on the basis of alienage?',
  'A firm in perfect competition has marginal cost MC = 4 + 2q. At a price of 24, which output maximises its profit?',
  'The pKa of an acid is 4.2. At which pH is it 90 % deprotonated?',
  'How many distinct subgroups does the cyclic group of order 60 have?',
]
const letters = 'ABCDEFGHIJ'

/** The whole record of one trial of an invented run; the same for the same arguments. */
export function trialOf(spec: RunSpec, planned: PlannedBenchmark, ordinal: number, index: number, epoch: number): TrialRecord {
  const { name } = planned
  const card = benchmarks.find((b) => b.name === name)!.card
  const groups = groupsOf[name]!
  const group = groups[Math.floor(chance(name, index, 'g') * groups.length)]!
  const skill = 0.45 + 0.5 * chance(spec.model.slug, name, group)
  const failed = chance(spec.run_id, name, index, epoch, 'f') < 0.012
  const right = !failed && chance(spec.model.slug, name, index, epoch) < skill
  const choices = card.fields.some((field) => field.as === 'choices')
  const expected = choices
    ? letters[Math.floor(chance(name, index, 'e') * 10)]!
    : name === 'aime_2025'
      ? String(Math.floor(chance(name, index) * 999))
      : null
  const given = failed
    ? null
    : choices
      ? right
        ? expected
        : letters[(letters.indexOf(expected!) + 1 + Math.floor(chance(index, 'w') * 8)) % 10]!
      : name === 'aime_2025'
        ? right
          ? expected
          : String(Math.floor(chance(index, 'w') * 999))
        : right
          ? 'all instructions followed'
          : '1 of 2 instructions followed'
  const truncated = !failed && chance(name, index, 't') < 0.03
  const question = subjects[Math.floor(chance(name, index, 'q') * subjects.length)]!
  const latency = 600 + chance(index, epoch, 'l') ** 3 * 42_000
  const output = Math.floor(80 + chance(index, 'o') ** 2 * card.estimate.output_tokens * 2)
  const input = Math.floor(card.estimate.input_tokens * (0.7 + chance(index, 'i') * 0.6))
  const usage = {
    input_tokens: input,
    output_tokens: failed ? 0 : output,
    cached_tokens: Math.floor(input * 0.4),
    reasoning_tokens: failed ? 0 : Math.floor(output * 0.6),
  }
  const options = letters.split('').map((letter, i) => `${letter} stands for the value ${(1.7 * (i + 1)).toFixed(1)} m/s`)
  const answerText = choices
    ? `The relevant relation is **energy conservation**: $mgh = \\tfrac12 mv^2$.\n\n1. Write the initial potential energy.\n2. Set it equal to the final kinetic energy.\n3. Solve for the speed.\n\n| step | value |\n|---|---|\n| h | 2.4 m |\n| v | 6.9 m/s |\n\n<img src=x onerror=alert(1)> <script>alert(2)</script> ![tracker](https://example.invalid/x.png)\n\nThe answer is (${given}).`
    : `Here is the text you asked for.\n\n* first point\n* second point\n\nAnswer: ${given}`
  return {
    ordinal,
    attempt: 1,
    benchmark: name,
    item_id: String(index),
    epoch,
    source_id: `${name}-${index}`,
    item_hash: 'ab'.repeat(32),
    group,
    outcome: failed ? 'failed' : right ? 'right' : 'wrong',
    score: failed ? null : right ? 1 : 0,
    answer: given,
    expected,
    explanation: failed
      ? null
      : choices
        ? `“${given}” was read from “answer is (${given})”; the key is ${expected}.`
        : 'length_constraints:number_words held; keywords:forbidden_words did not.',
    flags: truncated ? ['truncated'] : chance(index, 'x') < 0.02 ? ['no-answer'] : [],
    detail: {},
    messages: [
      { role: 'system', content: 'Answer the question. End with “The answer is (X).”' },
      {
        role: 'user',
        content: choices
          ? `Question: ${question}\n\n${options.map((option, i) => `${letters[i]}. ${option}`).join('\n')}\n\nAnswer: Let's think step by step.`
          : question,
      },
    ],
    params: planned.params,
    evidence: failed
      ? null
      : {
          kind: 'completion',
          text: answerText,
          reasoning:
            'The mass cancels.\nSo v = sqrt(2 g h) = sqrt(2 · 9.81 · 2.4) = 6.86 m/s.\nThe choice nearest to it is the one with 6.9.',
          finish_reason: truncated ? 'length' : 'stop',
          scoring_input: null,
          truncated_reasoning: false,
        },
    failure: failed
      ? {
          at: 'provider',
          reason: chance(index, 'r') < 0.6 ? 'idle-timeout' : 'overloaded',
          retryable: true,
          detail: 'No token for 60 s after 312 tokens; five attempts were made.',
          status: null,
        }
      : null,
    item_metadata: {
      question,
      options: choices ? options : null,
      category: group,
      instruction_id_list: ['length_constraints:number_words', 'keywords:forbidden_words'],
      answer: expected,
    },
    usage,
    cost_usd: spec.price
      ? (usage.input_tokens * spec.price.input_per_million_usd + usage.output_tokens * spec.price.output_per_million_usd) / 1e6
      : null,
    calls: failed ? 5 : 1,
    model_reported: spec.model.slug,
    system_fingerprint: 'fp_3f9a',
    latency_ms: failed ? 60_312 : Math.round(latency),
    ttft_ms: failed ? null : Math.round(latency * 0.18),
    max_gap_ms: failed ? null : Math.round(latency * 0.06),
  }
}

export function itemOf(record: TrialRecord, created_at: string): RunItem {
  const brief = briefOf(record)
  return {
    id: `item_${record.ordinal}`,
    item_id: record.item_id,
    item_hash: record.item_hash,
    prompt: record.messages.at(-1)!.content,
    response: record.evidence?.text ?? null,
    expected: record.expected,
    is_correct: record.outcome === 'failed' ? null : record.outcome === 'right',
    score: record.score,
    judge_output: null,
    latency_ms: record.latency_ms,
    input_tokens: record.usage.input_tokens,
    output_tokens: record.usage.output_tokens,
    error: record.failure?.detail ?? null,
    test_code: null,
    item_metadata: record.item_metadata,
    created_at,
    ordinal: record.ordinal,
    benchmark: record.benchmark,
    epoch: record.epoch,
    group: record.group,
    outcome: record.outcome,
    answer: record.answer,
    flags: record.flags,
    failure: brief.failure,
    ttft_ms: record.ttft_ms,
    judge_cost_usd: null,
    cost_usd: record.cost_usd,
  }
}
