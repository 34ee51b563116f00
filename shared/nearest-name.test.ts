import { expect, test } from 'vitest'
import { nearestName } from './nearest-name.ts'

const benchmarks = ['mmlu_pro', 'gpqa_diamond', 'ifeval', 'ifbench', 'aime_2025', 'hle', 'hle_text']

test.each([
  ['mmlu-pro', 'mmlu_pro'],
  ['MMLU Pro', 'mmlu_pro'],
  ['gpqa_diamnod', 'gpqa_diamond'],
  ['ifevel', 'ifeval'],
  ['ifbnech', 'ifbench'],
  ['hl', 'hle'],
  ['humaneval', undefined],
  ['x', undefined],
])('[CLI470] %s is suggested as %s', (wanted, name) => {
  expect(nearestName(wanted, benchmarks)).toBe(name)
})

test('[CLI470] a model is suggested across its owner, and a long name costs no time', () => {
  expect(nearestName('acme/swift-minni', ['acme/swift-mini', 'acme/swift-maxi'])).toBe('acme/swift-mini')
  expect(nearestName('a'.repeat(1e6), ['b'.repeat(1e6)])).toBeUndefined()
})
