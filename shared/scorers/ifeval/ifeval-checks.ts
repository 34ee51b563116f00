import type { Check } from '../instructions/check.ts'
import { contentRules } from './content-rules.ts'
import { formatRules } from './format-rules.ts'
import { keywordRules } from './keyword-rules.ts'
import type { IfevalId, IfevalRules } from './kwargs.ts'
import { lengthRules } from './length-rules.ts'
import { wholeTextRules } from './whole-text-rules.ts'

const rules: IfevalRules = { ...keywordRules, ...lengthRules, ...contentRules, ...formatRules, ...wholeTextRules }

/** The 25 checks of IFEval by id (reference 5.3). Their kwargs have been parsed by `ifevalKwargs` when the data was opened. */
export const ifevalChecks = rules as Readonly<Record<IfevalId, Check>>
