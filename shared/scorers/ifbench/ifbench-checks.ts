import { countChecks } from './count-checks.ts'
import { csvChecks } from './csv-checks.ts'
import { customChecks } from './custom-checks.ts'
import { formatChecks } from './format-checks.ts'
import { formatSentenceChecks } from './format-sentence-checks.ts'
import { placeChecks } from './place-checks.ts'
import { ratioChecks } from './ratio-checks.ts'
import { repeatChecks } from './repeat-checks.ts'
import { sentenceChecks } from './sentence-checks.ts'
import { wordsChecks } from './words-checks.ts'

/** The 58 checks of IFBench by their id, each as the official checker decides at commit db69a6f (reference 6.3), its faults included. */
export const ifbenchChecks = {
  ...countChecks,
  ...ratioChecks,
  ...sentenceChecks,
  ...wordsChecks,
  ...placeChecks,
  ...formatChecks,
  ...formatSentenceChecks,
  ...customChecks,
  ...csvChecks,
  ...repeatChecks,
} as const

/** Id of an instruction of IFBench. */
export type IfbenchId = keyof typeof ifbenchChecks
