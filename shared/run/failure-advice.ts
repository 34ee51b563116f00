import type { failureReasons } from '../contract/failure.ts'

type Places = typeof failureReasons
type Advice = { [P in keyof Places]: Record<Places[P][number], string> }

/** What helps against a refusal or silence of whoever serves `model`. */
const served = (model: string) => ({
  'rate-limited': `The provider of ${model} takes fewer calls: lower the concurrency, or ask it for a higher limit.`,
  overloaded: `The provider of ${model} had no room: try again later, or with a lower concurrency.`,
  'server-error': `The provider of ${model} broke down: try again later, and tell it if that lasts.`,
  'connect-timeout': `The provider of ${model} did not take connections in time: check its address, the network, and that it runs.`,
  'first-token-timeout': `The provider of ${model} did not begin its answers in time: lower the concurrency, or choose a profile that waits longer.`,
  'idle-timeout': `The provider of ${model} fell silent amid answers: try again, and tell it if that lasts.`,
  'total-timeout': `Answers of ${model} take longer than the profile waits: lower the concurrency, or choose a profile that waits longer.`,
  connection: `The provider of ${model} could not be reached: check its address, the network, and that it runs.`,
  'cut-stream': `Connections to the provider of ${model} broke amid answers: try again, and look at proxies on the way.`,
  'bad-response': `What answers there does not speak the protocol of chat completions: check the address of the provider of ${model}.`,
  'empty-response': `The provider of ${model} sent empty answers: try again, and tell it if that lasts.`,
  'too-large': `Answers of ${model} are larger than is read: choose a profile with fewer tokens.`,
  'bad-request': `The provider refuses what ${model} is asked: its words, with each failed item, say which parameter to leave out.`,
  'context-length': `The questions are longer than ${model} takes: serve it with a longer context, or leave out the benchmark.`,
  unauthorized: `Whoever set the key of the provider of ${model}: replace it.`,
  'payment-required': `Whoever pays the provider of ${model}: add credit.`,
  forbidden: `Whoever set the key of the provider of ${model}: allow it to use this model.`,
  'not-found': `The provider does not serve ${model} under this name: choose one that \`bench models\` lists.`,
  'content-filter': `The provider of ${model} filtered questions or answers: ask it to switch the filter off, or another provider.`,
  'circuit-open': `So many calls to the provider of ${model} failed that these were not made: settle its other failures.`,
})
const helped = (helper: string) => ({
  ...served(helper),
  unreadable: `Replies of ${helper} could not be read: choose another model for it.`,
})

const advice: Advice = {
  provider: served('the model'),
  judge: helped('the judge'),
  user: helped('the user simulator'),
  sandbox: {
    unavailable: 'The operator: give an agent the sandbox that the benchmark needs; `bench doctor` says what it lacks.',
    timeout: 'The operator: the machine is too slow or too full for what runs on it; give it fewer trials at once.',
    'out-of-memory': 'The operator: give the sandbox more memory, or fewer trials at once.',
    'output-limit': 'More was printed than is kept; the log of each failed item says by what.',
    'disk-full': 'The operator: free space on the disk of the agent.',
    denied: 'The operator: the system forbids what a sandbox is made of; `bench doctor` says what.',
    'image-missing': 'Whoever wrote the task, or runs the registry: no image of this name can be had.',
    'build-failed': 'Whoever wrote the task: its image does not build; the log of each failed item says why.',
    'task-refused': 'Whoever wrote the task: it asks for something that no machine has here; each failed item names the line.',
    unhealthy: 'Whoever wrote the task: its machine never became ready; the log of each failed item says why.',
  },
  dataset: {
    unavailable: 'The operator: let the agents reach the data set, or give a copy by BENCH_DATA_DIR.',
    gated: 'The operator: accept the terms of the data set and set HF_TOKEN for the agents.',
    mismatch: 'The operator: the file found is not the pinned one; remove the wrong copy.',
    'bad-record': 'Whoever keeps the data set: the failed item says which record cannot be read.',
    'text-unavailable':
      'The operator: let the agents reach the upstream texts, or set GITHUB_RAW_ENDPOINT to a mirror; or choose the built-in wording.',
  },
  solver: { error: 'A fault of this program: report it with the details of a failed item.' },
  scorer: {
    error: 'A fault of this program: report it with the details of a failed item.',
    'resource-missing': 'The operator: give the agents what the scorer needs; the failed item names it.',
  },
  agent: {
    poison: 'Three agents vanished while they worked on it: the operator should look at their logs and memory.',
    lost: 'The operator: the agent vanished; look whether it runs.',
    aborted: 'Nobody: it was given up on the way and is done again.',
    'disk-full': 'The operator: free space on the disk of the agent.',
    error: 'The operator: mend the agent that said so, or bring it up to date.',
  },
  store: {
    unavailable: 'The operator: the store of artifacts cannot be reached; look at its bucket or disk.',
    'too-large': 'What the trial left behind is larger than is kept.',
  },
  replay: {
    'no-answer': 'Whoever gave the answers: there is none for this question.',
    unavailable: 'The operator: let the agents reach the service and its database.',
    mismatch: 'Whoever gave the answers: start the run again with those that are meant.',
  },
}

const advised = new Map<string, string>(
  Object.entries(advice).flatMap(([place, of]) => Object.entries(of).map(([reason, text]) => [`${place}/${reason}`, text] as const)),
)

/**
 * Who must act against failures of a class such as `provider/connection`, and how, in a sentence; empty for a class of a later version. The sentence that all
 * failures of the class share (`RunHead.causes`) comes in its place: it names the task, image or tool to mend.
 */
export const adviceOn = (failure: string, cause?: string | null): string => cause || (advised.get(failure) ?? '')
