import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Check, Checks } from '../instructions/check.ts'
import { codePoints, splitSpace, strip } from '../python-text.ts'
import { numberOf, textOf } from './arguments.ts'

/** The sentence that `repeat:repeat_simple` wants, in lower case: its length and hash; the text stands in the prompts alone. */
const fixedSentence = { length: 58, sha256: '5e33157f37da8f137c1899801fb56dcae5fccd687d03c683439128ef87d1d0bb' }

const normal = (text: string) => strip(text).toLowerCase()
const afterFirst = (text: string) => splitSpace(text).slice(1).join(' ')

const changedFirstWord: Check = (text, kwargs) => {
  const request = textOf(kwargs, 'prompt_to_repeat')
  return text !== request && afterFirst(text) === afterFirst(request)
}

const onlySentence: Check = (text) => {
  const found = normal(text)
  return found.length === fixedSentence.length && bytesToHex(sha256(new TextEncoder().encode(found))) === fixedSentence.sha256
}

// The indices are those of characters, although some prompts speak of words.
const span: Check = (text, kwargs) => {
  const chars = codePoints(textOf(kwargs, 'prompt_to_repeat'))
  const wanted = chars.slice(numberOf(kwargs, 'n_start'), numberOf(kwargs, 'n_end') + 1).join('')
  return normal(text) === normal(wanted)
}

export const repeatChecks = {
  'repeat:repeat_change': changedFirstWord,
  'repeat:repeat_simple': onlySentence,
  'repeat:repeat_span': span,
} as const satisfies Checks
