import type { Check } from '../instructions/check.ts'
import { countRules } from './count-rules.ts'
import { csvRules } from './csv-rules.ts'
import { customRules } from './custom-rules.ts'
import { formatRules } from './format-rules.ts'
import { formatSentenceRules } from './format-sentence-rules.ts'
import type { IfbenchId, IfbenchRules } from './kwargs.ts'
import { placeRules } from './place-rules.ts'
import { ratioRules } from './ratio-rules.ts'
import { repeatRules } from './repeat-rules.ts'
import { sentenceRules } from './sentence-rules.ts'
import { wordsRules } from './words-rules.ts'

const rules: IfbenchRules = {
  ...countRules,
  ...ratioRules,
  ...sentenceRules,
  ...wordsRules,
  ...placeRules,
  ...formatRules,
  ...formatSentenceRules,
  ...customRules,
  ...csvRules,
  ...repeatRules,
}

/**
 * The 58 checks of IFBench by id, each as the official checker decides at commit db69a6f (reference 6.3), its faults included. Their kwargs
 * have been parsed by `ifbenchKwargs` when the data was opened.
 */
export const ifbenchChecks = rules as Readonly<Record<IfbenchId, Check>>
