import { adviceOn } from './failure-advice.ts'

/** What settles a parked run otherwise than by its failure's remedy and a resume. */
const otherwise: Record<string, string> = {
  budget: 'Its owner: raise the budget, and it goes on at once; what is scored so far stays.',
  spending: 'Nobody has to: the run goes on by itself when the day or the month ends. Whoever set the budget raises it to go on at once.',
  'replay/mismatch': adviceOn('replay/mismatch'),
}

/** The sentence that says who must act, and how, before a parked run can go on; by the reason the run was parked with. */
export function whoActs(reason: string): string {
  if (Object.hasOwn(otherwise, reason)) return otherwise[reason]!
  const advice = adviceOn(reason)
  if (!advice) return 'Its owner: resume when this is settled.'
  return reason.startsWith('provider/') ? `${advice} Then resume.` : `${advice} Then resume, and retry what failed.`
}
