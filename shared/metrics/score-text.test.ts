import { expect, test } from 'vitest'
import { cutNote } from './cut-note.ts'
import { metricTexts } from './metric-texts.ts'
import { countText, limitsText, meaningOf, scoreText, scoreWithLimits } from './score-text.ts'

const estimate = { value: 0.7238, low: 0.7108, high: 0.7368, n: 601, method: 'Wilson' }

test('[STAT86] a score is written with both of its limits and the items it rests on', () => {
  expect(scoreText(estimate)).toBe('72.4 % (71.1–73.7)  n = 601')
  expect(scoreText({ ...estimate, trials: 601 })).toBe('72.4 % (71.1–73.7)  n = 601')
  expect(scoreText({ ...estimate, trials: 6010 })).toBe('72.4 % (71.1–73.7)  n = 601 (6,010 trials)')
  expect(scoreWithLimits({ value: 1, low: 0.702, high: 1 })).toBe('100.0 % (70.2–100.0)')
  expect(scoreWithLimits({ value: 0, low: 0, high: 0.397 })).toBe('0.0 % (0.0–39.7)')
})

test('[STAT86] a point is called exact, and what is not known is a dash or nothing', () => {
  expect(scoreText({ ...estimate, low: 0.7238, high: 0.7238 })).toBe('72.4 % (exact)  n = 601')
  expect(limitsText({ low: 0.1 + 0.2, high: 0.3 })).toBe('exact')
  expect(scoreText({ ...estimate, low: null, high: null })).toBe('72.4 %  n = 601')
  expect(scoreText({ ...estimate, value: null, low: null, high: null, n: 0 })).toBe('–')
  expect([limitsText({ low: null, high: 1 }), countText({ n: 12032, trials: null })]).toEqual([undefined, 'n = 12,032'])
})

test('[STAT86] limits come with what they mean', () => {
  expect(meaningOf({ ...estimate, target: 'expected' })).toMatch(/expected score/)
  expect(meaningOf({ ...estimate, target: 'as_answered' })).toMatch(/fixed set as answered/)
  expect(meaningOf({ ...estimate, low: 0.7238, high: 0.7238, target: 'as_answered' })).toMatch(/nothing is left open/)
  expect(meaningOf(estimate)).toMatch(/before intervals named/)
  expect(meaningOf({ ...estimate, low: null })).toBeUndefined()
})

const params = { temperature: 0, top_p: null, max_tokens: 4096, stop: null, seed: null, reasoning_effort: null }

test('[STAT91] many cut answers are a warning beside the score, with what to do', () => {
  const tally = { right: 9, wrong: 91, flags: { truncated: 16 } }
  expect(cutNote(tally, { params })).toBe(
    '16 % of answers were cut off at max_tokens = 4,096 and scored as they stood: the score may be too low. Run it again with a larger max_tokens.',
  )
  expect(cutNote(tally, { params: { ...params, max_tokens: null } })).toMatch(/model's own limit .* larger max_tokens if/)
  expect(cutNote({ right: 1, wrong: 209, flags: { truncated: 209 } }, { params })).toMatch(/^99 % /)
  expect(cutNote({ right: 1000, wrong: 0, flags: { truncated: 9 } }, { params })).toBeNull()
  expect(cutNote({ right: 0, wrong: 0, flags: {} }, { params })).toBeNull()
})

test('[STAT92] every recorded metric is shown by a name for people, in the order of the card, and the times after them', () => {
  const figures = { n: 1200, mean: 1500, p50: 840, p90: 3210, p99: 75_000 }
  const recorded = {
    timing: { latency_ms: figures, ttft_ms: null },
    inst_loose: { ...estimate, target: 'as_answered' },
    calibration_error: { value: 0.19, low: null, high: null, n: 250, method: 'RMS' },
    prompt_strict: { ...estimate, value: null, low: null, high: null, n: 0 },
    of_tomorrow: estimate,
  }
  const shown = metricTexts(recorded, ['prompt_strict', 'inst_loose', 'calibration_error', 'not_recorded'])
  expect(shown.map(({ title, text, n }) => [title, text, n])).toEqual([
    ['Prompts followed, strict', '–', 'n = 0'],
    ['Instructions followed, loose', '72.4 % (71.1–73.7)', 'n = 601'],
    ['Calibration error, official', '19.0 points', 'n = 250'],
    ['of_tomorrow', '72.4 % (71.1–73.7)', 'n = 601'],
    ['Time to the whole answer', 'p50 840 ms · p90 3.2 s · p99 75 s', 'n = 1,200 trials'],
  ])
  expect(shown[1]!.meaning).toMatch(/fixed set as answered.*Method: Wilson\./)
})
