import { type Failure, isHalting } from '#shared/contract/failure.ts'
import type { ModelParams } from '#shared/contract/message.ts'
import {
  mostPreflightCalls,
  mostPreflightTokens,
  type PreflightCall,
  type PreflightFound,
  preflightMs,
} from '#shared/contract/preflight.ts'
import { roleEntries, rolesOf } from '#shared/contract/role.ts'
import type { RunSpec } from '#shared/contract/run.ts'
import { addSpent, costUsd, noUsage, type Price, type Spent, type Usage, untoldUsage } from '#shared/contract/usage.ts'
import { needsTools } from '#shared/run/offers-tools.ts'
import { CallAborted } from './model/call-result.ts'
import { type ProviderFailure, providerFailure } from './model/provider-failure.ts'
import type { ModelRequest } from './model/request-body.ts'
import { toldUsage } from './model/told-usage.ts'
import type { openEndpoints } from './open-endpoints.ts'
import type { Halt } from './trial/execute-trial.ts'

/** What was found before the first trial; with a halt where no trial can succeed until somebody acts. */
export type PreflightMade = { found: PreflightFound; halt: Halt | null }

/** Where nothing was asked. */
export const nothingFound: PreflightFound = {
  calls: [],
  listed: null,
  context_length: null,
  spent: { usage: noUsage, cost_usd: null },
}

type Named = { slug: string; provider: string }
type Endpoints = ReturnType<typeof openEndpoints>

type Question = Pick<PreflightCall, 'role' | 'ask'> & { named: Named; params: ModelParams; price: Price | null }
type Asked = { call: PreflightCall; halt: Halt | null; usage: Usage; price: Price | null }

/**
 * Looks at the endpoints of a run as its trials will ask them: the tested model first, then, where that did not stop the run, whatever else the
 * run needs of it and the helpers, up to four small questions in 30 s together. `pictures` says whether its questions hold any. Rejects only
 * with the reason of the signal.
 */
export async function makePreflight(
  spec: RunSpec,
  pictures: boolean,
  endpoints: Endpoints,
  signal: AbortSignal,
  withinMs: number = preflightMs,
): Promise<PreflightMade> {
  const until = AbortSignal.any([signal, AbortSignal.timeout(withinMs)])
  const ask = (question: Question): Promise<Asked> => askOnce(question, endpoints, signal, until)
  const [first, ...others] = questionsOf(spec, pictures)
  // What lists nothing may answer all the same, and is not waited for as an answer is.
  const briefly = AbortSignal.any([until, AbortSignal.timeout(Math.ceil(withinMs / 6))])
  const listing = endpoints.list(spec.model, briefly).catch(() => null)
  const model = await ask(first!)
  const rest = model.halt ? [] : await Promise.all(others.map(ask))
  const listed = await listing
  signal.throwIfAborted()
  const entry = listed?.find(({ id }) => id === spec.model.slug)
  const asked = [model, ...rest]
  const tools = asked.some(({ call }) => call.ask === 'tools')
    ? toolsSeen(asked, await endpoints.showsTools(spec.model, briefly))
    : undefined
  signal.throwIfAborted()
  const found: PreflightFound = {
    calls: asked.map(({ call }) => call),
    // An empty list is none: the server does not keep one.
    listed: listed && listed.length > 0 ? entry !== undefined : null,
    context_length: entry?.context_length ?? null,
    ...(tools !== undefined && { tools }),
    spent: spentBy(asked),
  }
  return { found, halt: asked.find(({ halt }) => halt)?.halt ?? unlisted(found, spec) }
}

/**
 * Whether the model saw the tool that it was offered: its server says so, or a question with the tool takes more tokens than the same without. Null where
 * neither tells.
 */
function toolsSeen(asked: readonly Asked[], told: boolean | null): 'seen' | 'dropped' | null {
  if (told !== null) return told ? 'seen' : 'dropped'
  const [without, within] = (['plain', 'tools'] as const).map((ask) => asked.find(({ call }) => call.role === 'model' && call.ask === ask))
  if (!without?.call.usage_told || !within?.call.usage_told || without.usage.input_tokens === 0) return null
  return within.usage.input_tokens > without.usage.input_tokens ? 'seen' : 'dropped'
}

/**
 * The tested model with the parameters of its first benchmark, a picture where the run shows any, the same question with a tool where a benchmark offers
 * tools, and each helper once.
 */
function questionsOf(spec: RunSpec, pictures: boolean): Question[] {
  const { params } = spec.benchmarks[0]!
  const model = { role: 'model' as const, named: spec.model, params, price: spec.price }
  const withTools = spec.benchmarks.some(needsTools)
  const helpers = spec.benchmarks.flatMap((planned) => roleEntries(rolesOf(planned)))
  const once = new Map(helpers.map((entry) => [JSON.stringify([entry[1].model.provider, entry[1].model.slug]), entry]))
  once.delete(JSON.stringify([spec.model.provider, spec.model.slug]))
  return [
    { ...model, ask: 'plain' as const },
    ...(pictures ? [{ ...model, ask: 'picture' as const }] : []),
    ...(withTools ? [{ ...model, ask: 'tools' as const }] : []),
    ...Array.from(once.values(), ([role, { model: named, params, price, schema }]): Question => {
      return { role, ask: schema ? 'schema' : 'plain', named, params, price }
    }),
  ].slice(0, mostPreflightCalls)
}

/** A red square of 64 by 64: the smallest picture that no model is known to find too small. */
const square = {
  media_type: 'image/png',
  sha256: 'b1240d820bb725b9fdc17862f604eda1a0c6a0da1644fd51daed208bd134d789',
  bytes: 136,
  data: 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAEAAAABACAIAAAAlC+aJAAAAT0lEQVR42u3PQQkAAAgEsEty/aMYywi+hcEKLNO+FgEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQGBywLKp0DxvxLbjwAAAABJRU5ErkJggg==',
}
/** A tool with enough words that a server which shows it to the model counts more tokens. */
const tool = {
  name: 'report_colour',
  description: 'Tells the user the name of a colour, once it is known for certain. It is not needed for any other question.',
  parameters: { type: 'object', properties: { colour: { type: 'string', description: 'Name of the colour' } }, required: ['colour'] },
}
const schema = {
  name: 'check',
  schema: { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'], additionalProperties: false },
}

/** The words of the questions; whoever accounts for requests knows them by these. */
export const preflightTexts: Record<PreflightCall['ask'], string> = {
  plain: 'Reply with OK.',
  picture: 'Which colour is this? One word.',
  tools: 'Reply with OK.',
  schema: 'Reply with {"ok": true}.',
}

function requestFor({ ask, params }: Question): ModelRequest {
  // A budget for reasoning would be larger than the whole answer, which providers refuse.
  const { reasoning_budget_tokens: _budget, ...rest } = params
  const small = { ...rest, max_tokens: Math.min(params.max_tokens ?? mostPreflightTokens, mostPreflightTokens) }
  return {
    messages: [{ role: 'user', content: preflightTexts[ask], ...(ask === 'picture' && { pictures: [square] }) }],
    params: small,
    ...(ask === 'schema' && { schema }),
    ...(ask === 'tools' && { tools: [tool] }),
  }
}

async function askOnce(question: Question, endpoints: Endpoints, signal: AbortSignal, until: AbortSignal): Promise<Asked> {
  const { role, ask, named, price } = question
  const about = { role, ask, model: named.slug, provider: named.provider }
  try {
    const { result, server } = await endpoints.probe(named, requestFor(question), until)
    if (!result.ok) return failed(about, atRole(role, result.failure), price, result.usage, result.reset_at)
    const { latency_ms, ttft_ms, streamed, model_reported, system_fingerprint } = result.value
    const usage = toldUsage(result.value)
    const told = { model_reported, system_fingerprint, server: server?.slice(0, 300) ?? null }
    return {
      call: {
        ...about,
        failure: null,
        latency_ms,
        ttft_ms,
        streamed,
        usage_told: usage !== null && usage.untold_calls === undefined,
        ...told,
      },
      ...{ halt: null, usage: usage ?? untoldUsage, price },
    }
  } catch (error) {
    signal.throwIfAborted()
    if (!until.aborted) throw error
    const late = providerFailure('total-timeout', `No answer within ${preflightMs / 1000} s.`, null)
    return failed(about, atRole(role, late), price, error instanceof CallAborted ? error.usage : null, null)
  }
}

/** A helper's provider fails for the same reasons at another place. */
const atRole = (role: PreflightCall['role'], failure: ProviderFailure): Failure =>
  role === 'model' ? failure : ({ ...failure, at: role } as Failure) // its reasons are among those of every role

function failed(
  about: Pick<PreflightCall, 'role' | 'ask' | 'model' | 'provider'>,
  failure: Failure,
  price: Price | null,
  usage: Usage | null,
  until: string | null,
): Asked {
  const nothing = { latency_ms: null, ttft_ms: null, streamed: null, usage_told: null }
  const call = { ...about, failure, ...nothing, model_reported: null, system_fingerprint: null, server: null }
  return { call, halt: isHalting(failure) ? { failure, until } : null, usage: usage ?? untoldUsage, price }
}

/** Some servers refuse an unknown model as a bad request; that their list does not have it either tells it from a bad parameter. */
function unlisted({ listed, calls }: PreflightFound, { model }: RunSpec): Halt | null {
  const failure = calls[0]?.failure
  if (listed !== false || failure?.reason !== 'bad-request') return null
  const detail = `${model.provider} does not list ${model.slug}, and refuses it: ${failure.detail}`.slice(0, 2000)
  return { failure: { at: 'provider', reason: 'not-found', retryable: false, status: failure.status, detail }, until: null }
}

function spentBy(asked: readonly Asked[]): PreflightFound['spent'] {
  const priced = asked.every(({ price }) => price !== null)
  const each = asked.map(({ usage, price }) => ({ usage, cost_usd: costUsd(usage, price) }))
  return each.reduce<Spent>(addSpent, { usage: noUsage, cost_usd: priced ? 0 : null })
}

/**
 * Makes the pre-flight of each round once: whoever asks again for the same round gets the same, as what was told may have got lost on its way.
 * What is thrown in it stops the run, with the failure that `unforeseen` makes of it.
 */
export function oncePerRound() {
  let last: { round: number; made: PreflightMade } | undefined
  return async (
    round: number,
    make: () => Promise<PreflightMade> | undefined,
    unforeseen: (error: unknown) => Failure,
  ): Promise<PreflightMade | undefined> => {
    if (last?.round === round) return last.made
    const made = await make()?.catch((error: unknown) => ({ found: nothingFound, halt: { failure: unforeseen(error), until: null } }))
    last = made && { round, made }
    return made
  }
}
