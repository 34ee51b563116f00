import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { codePoints, splitSpace, strip } from '../../python/text.ts'
import type { IfbenchRules, Rule } from './kwargs.ts'

/** The sentence that `repeat:repeat_simple` wants, in lower case: its length and hash; the text stands in the prompts alone. */
export const fixedSentence = { length: 58, sha256: '5e33157f37da8f137c1899801fb56dcae5fccd687d03c683439128ef87d1d0bb' }

const normal = (text: string) => strip(text).toLowerCase()
const afterFirst = (text: string) => splitSpace(text).slice(1).join(' ')

const changedFirstWord: Rule<'repeat:repeat_change'> = (text, kwargs) => {
  const request = kwargs.prompt_to_repeat
  return text !== request && afterFirst(text) === afterFirst(request)
}

const onlySentence: Rule<'repeat:repeat_simple'> = (text) => {
  const found = normal(text)
  return found.length === fixedSentence.length && bytesToHex(sha256(new TextEncoder().encode(found))) === fixedSentence.sha256
}

// The indices are those of characters, although some prompts speak of words.
const span: Rule<'repeat:repeat_span'> = (text, kwargs) => {
  const chars = codePoints(kwargs.prompt_to_repeat)
  const wanted = chars.slice(kwargs.n_start, kwargs.n_end + 1).join('')
  return normal(text) === normal(wanted)
}

export const repeatRules = {
  'repeat:repeat_change': changedFirstWord,
  'repeat:repeat_simple': onlySentence,
  'repeat:repeat_span': span,
} satisfies Partial<IfbenchRules>
