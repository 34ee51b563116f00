import type { Message } from '../contract/message.ts'
import type { Step } from '../contract/transcript.ts'
import type { TrialRecord } from '../contract/trial.ts'
import type { EpisodeReport } from '../harbor/episode-report.ts'
import type { Trajectory, TrajectoryStep } from '../harbor/write-trajectory.ts'

type Call = Extract<Step, { type: 'model_call' }>
type AgentStep = Extract<TrajectoryStep, { source: 'agent' }>

/**
 * The conversation of an episode as Harbor's agents tell theirs: the model's replies, and what the terminal showed after each as its observation. `steps` is the
 * transcript. Null where no model was asked or nothing is left to tell. Helpers' calls and calls that failed are left out; the notes count them.
 */
export function episodeTrajectory(
  record: Pick<TrialRecord, 'messages' | 'evidence'>,
  steps: readonly Step[],
  episode: EpisodeReport,
): Trajectory | null {
  const began = Date.parse(episode.times.started_at ?? '')
  const timeOf = (ms: number): string | null => (Number.isNaN(began) ? null : new Date(began + ms).toISOString())
  const calls = steps.filter((step): step is Call => step.type === 'model_call')
  const answered = calls.filter(({ role, reply }) => role === 'model' && reply !== null)
  // A solver that tells the model of the task in its own words sends nothing of the item's.
  const opening = answered[0]?.known === 0 ? [] : record.messages
  const told: TrajectoryStep[] = opening.map((message) => said(message, null))
  for (const call of answered) {
    for (const message of call.messages) tellNext(told, message, timeOf(call.at_ms))
    told.push(replyOf(call, timeOf(call.at_ms + call.took_ms)))
  }
  if (answered.length === 0) told.push(...onlyAnswer(record))
  const [first, ...rest] = told
  if (!first || !told.some(({ source }) => source === 'agent')) return null
  const left = calls.length - answered.length
  return {
    session_id: episode.id,
    agent: { ...episode.agent, model_name: episode.model?.name ?? null },
    steps: [first, ...rest],
    notes: left > 0 ? `${left} calls that failed or were made to helpers are left out.` : null,
  }
}

/** What the user side says next is what the machine showed, where a reply is just before it. */
function tellNext(told: TrajectoryStep[], message: Message, at: string | null): void {
  const before = told.at(-1)
  if (message.role === 'assistant') return // the reply that was told as it came
  if (message.role === 'user' && before?.source === 'agent' && before.observation === null) before.observation = message.content
  else told.push(said(message, at))
}

const said = ({ role, content }: Message, at: string | null): TrajectoryStep =>
  role === 'assistant' ? agentStep(content, at) : { source: role === 'system' ? 'system' : 'user', at, message: content, observation: null }

const agentStep = (message: string, at: string | null): AgentStep => ({
  source: 'agent',
  at,
  message,
  observation: null,
  reasoning: null,
  calls: [],
  spent: null,
  model_calls: null,
})

function replyOf({ reply, usage }: Call, at: string | null): TrajectoryStep {
  const { input_tokens, cached_tokens, output_tokens } = usage
  return {
    ...agentStep(reply?.text ?? '', at),
    reasoning: reply?.reasoning || null,
    spent: { input_tokens, cached_tokens, output_tokens, cost_usd: null },
    model_calls: 1,
  }
}

/** Where the transcript is not kept because one answer tells it all. */
function onlyAnswer({ evidence }: Pick<TrialRecord, 'evidence'>): TrajectoryStep[] {
  if (evidence?.kind !== 'reward' || evidence.text === '') return []
  return [{ ...agentStep(evidence.text, null), reasoning: evidence.reasoning || null, model_calls: 1 }]
}
