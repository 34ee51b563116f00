import * as z from 'zod'
import { Estimate } from '../contract/estimate.ts'
import type { MetricName } from './metrics.ts'
import { countText, meaningOf, scoreWithLimits } from './score-text.ts'
import { streamingTexts } from './streaming-texts.ts'

/** What each metric is called where people read it. */
const titles: Record<MetricName, string> = {
  accuracy: 'Accuracy',
  accuracy_worst_case: 'Worst case, failures as wrong',
  accuracy_best_case: 'Best case, failures as right',
  accuracy_with_random_credit: 'With credit for guessing',
  exam_accuracy: 'Exam score, failures as wrong',
  calibration_error: 'Calibration error, official',
  calibration_error_all_bins: 'Calibration error, all bins',
  accuracy_exact_match: 'Exact answers',
  accuracy_multiple_choice: 'Multiple choice',
  accuracy_with_picture: 'With a picture',
  accuracy_without_picture: 'Without a picture',
  accuracy_easy: 'Easy',
  accuracy_medium: 'Medium',
  accuracy_expert: 'Expert',
  accuracy_without_errata: 'Without flawed problems',
  accuracy_persona_none: 'User without a persona',
  accuracy_persona_easy: 'User who knows devices',
  accuracy_persona_hard: 'User who is lost with devices',
  level_1_share: 'Answers in the asked form',
  unparsed_share: 'Answers nothing could be read from',
  truncated_share: 'Answers cut off at the token limit',
  prompt_strict: 'Prompts followed, strict',
  prompt_loose: 'Prompts followed, loose',
  inst_strict: 'Instructions followed, strict',
  inst_loose: 'Instructions followed, loose',
  steps_passed: 'Steps passed',
  early_exit_share: 'Scripts that ended before their tests',
  avg_at_k: 'Mean over repeats',
  pass_at_k: 'Right at least once',
  pass_hat_k: 'Right every time',
  pass_hat_2: 'Right two times of two',
  pass_hat_3: 'Right three times of three',
  flip_rate: 'Two repeats that differ',
  cons_at_k: 'Right by majority',
}

const Figures = z.object({ n: z.int(), mean: z.number(), p50: z.number(), p90: z.number(), p99: z.number() })
const Timing = z.object({ latency_ms: Figures.nullable(), ttft_ms: Figures.nullable() })

/** A metric as people read it. `n` stands apart, as it is mostly the same for all; `meaning` says what the figure is about and how it came. */
export type MetricText = { name: string; title: string; text: string; n: string; meaning: string }

/** Every recorded metric of a benchmark in the order of the record, then the times and how answers came in; names that are not known stand as they are. */
export function metricTexts(metrics: Readonly<Record<string, unknown>>, order: readonly string[] = []): MetricText[] {
  const names = [...order.filter((name) => Object.hasOwn(metrics, name)), ...Object.keys(metrics).filter((name) => !order.includes(name))]
  const texts = names.flatMap((name) => {
    const estimate = Estimate.safeParse(metrics[name])
    if (!estimate.success) return []
    const title = Object.hasOwn(titles, name) ? titles[name as MetricName] : name
    const { value, method } = estimate.data
    const text = value === null ? '–' : isError(name) ? `${(value * 100).toFixed(1)} points` : scoreWithLimits(estimate.data)
    const meaning = [meaningOf(estimate.data), `Method: ${method}.`].filter(Boolean).join(' ')
    return [{ name, title, text, n: countText(estimate.data), meaning }]
  })
  const came = streamingTexts(metrics.streaming).filter(({ name }) => name !== 'stream_first_token_ms') // the times tell it of answers alone
  return [...texts, ...timingTexts(metrics.timing), ...came]
}

const isError = (name: string): boolean => name.startsWith('calibration_error')

function timingTexts(timing: unknown): MetricText[] {
  const read = Timing.safeParse(timing)
  if (!read.success) return []
  const lines = [
    ['latency_ms', 'Time to the whole answer'],
    ['ttft_ms', 'Time to the first token'],
  ] as const
  return lines.flatMap(([name, title]) => {
    const figures = read.data[name]
    if (!figures) return []
    const parts = (['p50', 'p90', 'p99'] as const).map((key) => `${key} ${seconds(figures[key])}`)
    const meaning = `Half, 90 % and 99 % of ${figures.n} answers took no longer; the mean is ${seconds(figures.mean)}.`
    return [{ name, title, text: parts.join(' · '), n: `n = ${figures.n.toLocaleString('en-US')} trials`, meaning }]
  })
}

/** `840 ms`, `3.2 s`, `75 s`. */
function seconds(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`
}
