import type { Check, CheckName, VerifyReport } from '#shared/export/verify-report.ts'

/** What each check proves, in a sentence; a new check does not compile without one. */
export const checkMeanings: Record<CheckName, string> = {
  structure: 'The archive holds the expected files and nothing hidden between them.',
  archive: 'How the archive is packed is signed too, or can be built again to the byte.',
  manifest: 'The manifest is complete and in its one allowed form.',
  key: 'The signing key is one this service has published, in use when it signed.',
  signature: 'The key’s owner signed exactly this manifest.',
  hash: 'The results are exactly those the manifest names.',
  canonical: 'The results are written in the one allowed form, so nothing can be read in two ways.',
  schema: 'Every record has the fields and types it must have.',
  consistency: 'Totals, counts and identities agree with each other.',
  completeness: 'Every item the plan drew is there, once; none was left out or added.',
  dates: 'The moments are in a possible order.',
  fields: 'What is shown of each item follows from its record.',
  scores: 'Each answer, scored anew on your machine, gets the score it was given.',
  aggregates: 'The benchmark scores follow from the item scores.',
  metrics: 'The metrics and their intervals follow from the item scores.',
  costs: 'What the run cost follows from its tokens and the prices that were fixed when it began.',
  status: 'The status of the run and of its benchmarks follows from what came of the trials.',
  artifacts: 'Files that trials left behind are the bytes that their records name.',
}

/** What no check can prove. */
export const notProven = [
  'That the provider served the model it named: a signature covers what was recorded, not what ran.',
  'That the model had not seen the questions before.',
  'That the operator did not run it several times and show the best run.',
]

/** Checks that were made for a part only, or that could have been made and were not. */
export function inPart(report: Pick<VerifyReport, 'checks'>): Check[] {
  return report.checks.filter((check) => check.partial || (check.ok === null && ['scores', 'metrics'].includes(check.name)))
}

/** The verdict in a word or two; what could be checked only in part is part of it. */
export function verdictOf(report: Pick<VerifyReport, 'valid' | 'checks'>): string {
  if (!report.valid) return 'Not valid'
  return inPart(report).length > 0 ? 'Valid, checked in part' : 'Valid'
}

export function partSentence({ name, ok, detail }: Check): string {
  const subject = name.charAt(0).toUpperCase() + name.slice(1)
  return ok === null ? `${subject} were not checked: ${detail}.` : `${subject} were checked in part: ${detail}.`
}
