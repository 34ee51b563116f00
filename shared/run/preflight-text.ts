import { failureClass, isHalting } from '../contract/failure.ts'
import type { PreflightCall, PreflightFound } from '../contract/preflight.ts'
import { roleTitles } from '../contract/role.ts'
import type { PlannedBenchmark } from '../contract/run.ts'

/** One sentence about what was found: `bad` stops the run, a `note` is worth knowing. */
export type PreflightLine = { tone: 'good' | 'note' | 'bad'; text: string }

const seconds = (ms: number): string => `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
const count = (value: number): string => value.toLocaleString('en-US')
const nameOf = ({ role, model }: PreflightCall): string => (role === 'model' ? model : `${roleTitles[role]} ${model}`)

/** What a pre-flight found, in sentences. With the plan it is said too whose questions the window may not hold. */
export function preflightLines(found: PreflightFound, planned: readonly PlannedBenchmark[] = []): PreflightLine[] {
  return [...found.calls.flatMap(callLines), ...toolsLines(found), ...listLines(found, planned)]
}

/** The same on one line, for logs and lists of events. */
export function preflightText(found: PreflightFound): string {
  return `Pre-flight: ${preflightLines(found)
    .map(({ text }) => text)
    .join(' ')}`
}

function callLines(call: PreflightCall): PreflightLine[] {
  const { failure } = call
  if (failure) {
    const says = `${nameOf(call)} ${missing[call.ask]} (${failureClass(failure)})`
    if (isHalting(failure)) return [{ tone: 'bad', text: `${says}.` }]
    const remedy = call.ask === 'tools' ? ` Where it cannot, run with --tool-calling text.` : ''
    return [{ tone: 'note', text: `${says}; its trials are asked all the same.${remedy}` }]
  }
  const lines: PreflightLine[] = [{ tone: 'good', text: `${nameOf(call)} ${given[call.ask]} in ${seconds(call.latency_ms ?? 0)}.` }]
  if (call.ask === 'picture' || call.ask === 'tools') return lines
  const note = (text: string): void => void lines.push({ tone: 'note', text })
  if (call.streamed === false) note('It does not stream: times to the first token are not known.')
  if (call.usage_told === false)
    note('It does not tell how many tokens it takes: the cost of the run stays unknown, and a budget counts the reservations.')
  if (call.model_reported !== null && call.model_reported !== call.model) note(`It calls itself ${call.model_reported}.`)
  return lines
}

function toolsLines({ tools }: PreflightFound): PreflightLine[] {
  if (tools === 'dropped')
    return [
      {
        tone: 'note',
        text: 'Its server drops tools: the model will see none, and tasks that need them fail. Run with --tool-calling text.',
      },
    ]
  return tools === null ? [{ tone: 'note', text: 'Whether the model sees the tools it is offered, its server does not tell.' }] : []
}

const given: Record<PreflightCall['ask'], string> = {
  plain: 'answered',
  picture: 'took a picture',
  tools: 'answered with a tool at hand',
  schema: 'answered by a schema',
}
const missing: Record<PreflightCall['ask'], string> = {
  plain: 'did not answer',
  picture: 'did not take a picture',
  tools: 'did not take tools',
  schema: 'did not answer by a schema',
}

function listLines({ listed, context_length }: PreflightFound, planned: readonly PlannedBenchmark[]): PreflightLine[] {
  const lines: PreflightLine[] = []
  if (listed === false) lines.push({ tone: 'note', text: 'The list of its provider does not have it.' })
  if (context_length === null) return lines
  lines.push({ tone: 'good', text: `Its window holds ${count(context_length)} tokens.` })
  const short = planned.filter(({ most_input_tokens, params }) => (most_input_tokens ?? 0) + (params.max_tokens ?? 0) > context_length)
  if (short.length > 0) {
    const text = `The longest questions of ${short.map(({ name }) => name).join(', ')} and their answers may not fit into it.`
    lines.push({ tone: 'note', text })
  }
  return lines
}
