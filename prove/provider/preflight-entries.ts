import { hash } from 'node:crypto'
import { preflightTexts } from '../../fleet/preflight.ts'
import type { LedgerEntry } from './ledger.ts'

const prompts = new Set(Object.values(preflightTexts).map((text) => hash('sha256', text)))

/** Whether a request was the look at the endpoint before a run's first trial. */
export const isPreflight = ({ prompt_sha256 }: Pick<LedgerEntry, 'prompt_sha256'>): boolean => prompts.has(prompt_sha256)

/** The requests of trials. */
export const askedByTrials = (entries: readonly LedgerEntry[]): LedgerEntry[] => entries.filter((entry) => !isPreflight(entry))
