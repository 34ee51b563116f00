/** Who must act, and how, before a parked run can go on; by the reason the run was parked with. */
const advice: Record<string, string> = {
  budget: 'Its owner: raise the budget, and it goes on at once; what is scored so far stays.',
  'provider/unauthorized': 'Whoever set the provider key: replace it, then resume.',
  'provider/forbidden': 'Whoever set the provider key: allow it to use this model, then resume.',
  'provider/payment-required': 'Whoever pays the provider: add credit, then resume.',
  'provider/not-found': 'The provider does not serve this model under this name: wait until it does and resume, or choose another model.',
  'judge/unauthorized': "Whoever set the key of the judge's provider: replace it, then resume and retry what failed.",
  'judge/forbidden': "Whoever set the key of the judge's provider: allow it to use the judge, then resume and retry what failed.",
  'judge/payment-required': "Whoever pays the judge's provider: add credit, then resume and retry what failed.",
  'judge/not-found': 'The judge is not served under this name: wait until it is and resume, or start again with another judge.',
  'dataset/unavailable': 'The operator: let the agents reach the data set, or give a copy by BENCH_DATA_DIR; then resume.',
  'dataset/gated': 'The operator: accept the terms of the data set and set HF_TOKEN for the agents; then resume.',
  'dataset/mismatch': 'The operator: the file found is not the pinned one. Remove the wrong copy, then resume.',
  'dataset/text-unavailable':
    'The operator: let the agents reach the upstream texts, or set GITHUB_RAW_ENDPOINT to a mirror; then resume. Or start again with the built-in wording.',
  'replay/unavailable': 'The operator: let the agents reach the service and its database; then resume.',
  'replay/mismatch': 'Whoever gave the answers: start the run again with those that are meant.',
  'agent/error': 'The operator: mend the agent that said so, or bring it up to date; then resume.',
  'scorer/resource-missing': 'The operator: give the agents what the scorer needs, then resume.',
}

/** The sentence that says who must act for a parked run. */
export function whoActs(reason: string): string {
  return advice[reason] ?? 'Its owner: resume when this is settled.'
}
