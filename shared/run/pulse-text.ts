import type { ProviderReason } from '../contract/failure.ts'
import type { CallFailure, ModelPulse, RunPulse } from '../contract/pulse.ts'

/** One sentence about what goes on, `grave` where something is wrong, with the provider's own words where they may be shown. */
export type PulseLine = { text: string; grave: boolean; words: string | null }

const phrases: Partial<Record<ProviderReason, string>> = {
  'connect-timeout': 'takes no connection in time',
  'first-token-timeout': 'does not begin to answer in time',
  'idle-timeout': 'falls silent in the middle of answers',
  'total-timeout': 'does not finish its answers in time',
  connection: 'cannot be reached',
  'cut-stream': 'breaks its answers off',
  'bad-response': 'sends something that is no answer',
  'empty-response': 'sends empty answers',
  'too-large': 'sends answers that are too large',
}

/** `answers 503`, `cannot be reached`: what a failed call says of the provider. */
function phraseOf({ reason, status }: CallFailure): string {
  if (reason === 'rate-limited') return 'limits the rate (429)'
  return status === null || status === 200 ? (phrases[reason] ?? `fails (${reason})`) : `answers ${status}`
}

/** A wait or an age as people say it: `12 s`, `180 s`, `12 min 5 s`. */
export function seconds(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000))
  if (s < 600) return `${s} s`
  return s % 60 === 0 ? `${s / 60} min` : `${Math.floor(s / 60)} min ${s % 60} s`
}

const trials = (n: number): string => (n === 1 ? '1 trial waits' : `${n} trials wait`)
const agentsAre = (n: number): string => (n === 1 ? '1 agent is' : `${n} agents are`)

/**
 * Whether the calls to a model are in trouble: trials wait because of calls that failed. A single failure between answers is everyday
 * business and is dealt with by asking again.
 */
export function isInTrouble({ waiting, failure, failed, hold, in_flight }: ModelPulse): boolean {
  if (hold === 'circuit') return true
  return waiting > 0 && failure !== null && (failed > 2 || in_flight === 0)
}

function troubleText(model: ModelPulse, whose: string): string {
  const { failure, waiting, next_try_ms, attempt, attempts, in_flight } = model
  const parts = [trials(waiting)]
  if (next_try_ms !== null) parts.push(next_try_ms < 500 ? 'the next try is due' : `next try in ${seconds(next_try_ms)}`)
  else if (in_flight > 0) parts.push(in_flight === 1 ? 'one is being tried' : `${in_flight} are being tried`)
  if (attempt !== null && attempts !== null) parts.push(`attempt ${attempt} of ${attempts}`)
  return `${whose} ${model.provider} ${failure ? phraseOf(failure) : 'keeps failing'}: ${parts.join(', ')}`
}

/**
 * What a run's agents do now, the grave first; a model other than the tested one, where that is known, is its judge. Empty where there is nothing to say: no agent
 * has told anything, or nothing is under way.
 */
export function pulseLines(pulse: RunPulse, tested: { slug: string; provider: string } | null): PulseLine[] {
  const troubled = pulse.models.filter(isInTrouble).map((model): PulseLine => {
    const judge = tested !== null && (model.model !== tested.slug || model.provider !== tested.provider)
    return {
      text: troubleText(model, judge ? "The judge's provider" : 'The provider'),
      grave: model.failure?.reason !== 'rate-limited',
      words: model.failure?.detail ?? null,
    }
  })
  return [...silence(pulse), ...troubled, ...stages(pulse), ...flights(pulse)]
}

function silence({ agents }: RunPulse): PulseLine[] {
  if (agents.silent === 0 || agents.silent_ms === null) return []
  const some = agents.silent === agents.joined ? `${agents.silent} agent` : `${agents.silent} of ${agents.joined} agent`
  const who = `${some}${agents.joined === 1 ? '' : 's'} ${agents.silent === 1 ? 'has' : 'have'}`
  const held = agents.held === 1 ? '1 trial is' : `${agents.held} trials are`
  const then = agents.held > 0 && agents.freed_in_ms !== null ? `; ${held} given back in ${seconds(agents.freed_in_ms)}` : ''
  return [{ text: `${who} not been heard for ${seconds(agents.silent_ms)}${then}`, grave: true, words: null }]
}

function stages({ agents }: RunPulse): PulseLine[] {
  const lines: string[] = []
  if (agents.preparing > 0)
    lines.push(
      `${agentsAre(agents.preparing)} getting ready: data sets and wordings are fetched and the endpoint is looked at before the first question`,
    )
  if (agents.leaving > 0) lines.push(`${agentsAre(agents.leaving)} leaving, and will finish what is in flight`)
  return lines.map((text) => ({ text, grave: false, words: null }))
}

function flights({ models }: RunPulse): PulseLine[] {
  const in_flight = models.reduce((sum, model) => sum + model.in_flight, 0)
  const paced = models.filter((model) => model.waiting > 0 && !isInTrouble(model)).reduce((sum, model) => sum + model.waiting, 0)
  const near = models.reduce<ModelPulse['slowest']>(
    (worst, { slowest }) =>
      slowest && (!worst || slowest.elapsed_ms / slowest.limit_ms > worst.elapsed_ms / worst.limit_ms) ? slowest : worst,
    null,
  )
  const parts: string[] = []
  if (in_flight > 0) parts.push(in_flight === 1 ? '1 request in flight' : `${in_flight} requests in flight`)
  if (near) {
    const what = near.until === 'first-token' ? 'for its first token' : 'for the whole answer'
    parts.push(`the slowest ${seconds(near.elapsed_ms)} of ${seconds(near.limit_ms)} ${what}`)
  }
  if (paced > 0) parts.push(`${trials(paced)} for its turn`.replace('wait for its', 'wait for their'))
  return parts.length ? [{ text: parts.join(', '), grave: false, words: null }] : []
}
