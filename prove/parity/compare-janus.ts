import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { picturesIn } from '#shared/janus/answered-pictures.ts'
import { percentile } from '#shared/janus/benchmark-metrics.ts'
import { compositeOf, normalTps, normalTtft } from '#shared/janus/composite.ts'
import { costScore, unknownCost } from '#shared/janus/score/cost.ts'
import { costVerdict } from '#shared/janus/score/cost-efficiency.ts'
import { multimodalScore } from '#shared/janus/score/multimodal.ts'
import { shareHeld } from '#shared/janus/score/phrases.ts'
import { type PublicFacts, publicScore } from '#shared/janus/score/public-item.ts'
import { plainQuality } from '#shared/janus/score/quality.ts'
import { cites, judgeScore, tellsSources } from '#shared/janus/score/research.ts'
import { speedScore } from '#shared/janus/score/speed.ts'
import { plainStreamScore, streamScore } from '#shared/janus/score/streaming.ts'
import { toolScore } from '#shared/janus/score/tool-use.ts'
import { type JanusCase, type JanusKind, janusCases, janusKinds } from './cases-janus.ts'
import { fakeResults } from './janus-results.ts'
import { CannotCompare, createEnvironment } from './python-environment.ts'

export type JanusVerdict = { value: unknown } | { raised: string }
export type JanusTally = {
  kind: JanusKind
  compared: number
  raised: number
  disagreements: { case: JanusCase; theirs: unknown; ours: unknown }[]
}

// What a case holds is what its maker put there.
type Any = Record<
  | 'answer'
  | 'avg_tps'
  | 'calls'
  | 'check_reasoning_content'
  | 'continuity_score'
  | 'cost_task_type'
  | 'evaluation'
  | 'expected'
  | 'expected_behavior'
  | 'facts'
  | 'first_token_received'
  | 'has_image_input'
  | 'has_reasoning_content'
  | 'keywords'
  | 'latency'
  | 'max_gap_seconds'
  | 'metadata'
  | 'metrics'
  | 'multimodal_task_type'
  | 'reply'
  | 'results'
  | 'sandbox'
  | 'share'
  | 'sourced'
  | 'task_type'
  | 'text'
  | 'tokens'
  | 'tool_use_task_type'
  | 'total_chunks'
  | 'total_tokens'
  | 'tps'
  | 'ttft'
  | 'ttft_seconds'
  | 'usd'
  | 'values',
  never
>
/** Fields that are null are not there. */
const set = (fields: unknown): Any =>
  Object.fromEntries(Object.entries((fields ?? {}) as object).filter(([, value]) => value !== null)) as Any // as above

/** What our official reading makes of a case. */
const ours: Record<JanusKind, (one: Any) => unknown> = {
  quality: ({ text, answer, keywords }) => plainQuality(text ?? '', { answer: answer ?? undefined, keywords: keywords ?? undefined }, 'v1'),
  speed: ({ latency, ttft, tps }) => speedScore(latency, ttft, tps),
  cost: ({ tokens, usd, sandbox }) => costScore({ tokens, cost_usd: usd, sandbox_s: sandbox }) ?? unknownCost,
  streaming({ metrics, metadata }) {
    const { evaluation, task_type, has_reasoning_content, first_token_received } = metadata as Any
    const { ttft_seconds, max_gap_seconds, total_chunks, avg_tps, total_tokens, continuity_score } = metrics as Any
    const plain = { ttft_s: ttft_seconds, max_gap_s: max_gap_seconds, chunks: total_chunks }
    if (!evaluation || Object.keys(evaluation).length === 0) return plainStreamScore(plain)
    const rest = { max_gap_after_first_s: null, duration_s: 0, broken: false }
    const full = { ...plain, ...rest, first_token_received, tps: avg_tps, tokens: total_tokens ?? 0, continuity: continuity_score }
    const reasoned = task_type === 'reasoning_response' && (evaluation as Any).check_reasoning_content === true && has_reasoning_content
    return streamScore(full, evaluation, reasoned, 'v1')
  },
  facts: ({ text, facts }) => shareHeld(text, facts, 'v1'),
  searched: ({ text }) => [tellsSources(text), cites(text)],
  judge: ({ reply }) => judgeScore(reply, 'v1'),
  tool_use({ text, calls, metadata }) {
    const { evaluation, tool_use_task_type, ...facts } = metadata as Any
    return toolScore({ ...(facts as object), ...(evaluation as object), subtype: tool_use_task_type }, calls, text, 'v1')
  },
  multimodal({ text, has_image_input, keywords, metadata }) {
    const { evaluation, multimodal_task_type, expected_behavior } = metadata as Any
    const facts = {
      ...set(evaluation),
      subtype: multimodal_task_type,
      expected_behavior,
      has_image_input,
      expected_keywords: keywords ?? undefined,
    }
    const pictures = picturesIn(text).map(({ source, format }) => ({ source, format, read: null }))
    return multimodalScore(facts as never, text, pictures, 'v1')
  },
  cost_task({ text, calls, tokens, metadata }) {
    const { evaluation, cost_task_type } = metadata as Any
    const { quality, efficiency, conciseness } = costVerdict(
      { ...(evaluation as object), subtype: cost_task_type },
      text,
      calls,
      tokens,
      'v1',
    )
    return [quality, efficiency, conciseness]
  },
  public: ({ text, expected, latency, sourced }) =>
    publicScore(set(expected) as PublicFacts, text, latency === null ? null : latency * 1000, sourced, 'v1'),
  normal: ({ ttft, tps }) => [normalTtft(ttft), normalTps(tps)],
  composite: ({ results }) => {
    const { composite } = compositeOf(fakeResults(results), 'v1')
    return composite === null ? 0 : composite / 100
  },
  percentile: ({ values, share }) => percentile(values, share, 'v1'),
}

/** Equal but for the last digits of a sum: Python adds floats with a correction. */
export function agree(theirs: unknown, own: unknown): boolean {
  if (typeof theirs === 'number' && typeof own === 'number') return Math.abs(theirs - own) <= 1e-9
  if (Array.isArray(theirs) && Array.isArray(own))
    return theirs.length === own.length && theirs.every((one, index) => agree(one, own[index]))
  return theirs === own
}

/** Our scores beside the official ones; where the official code raises, ours is only asked for a number. */
export function tallyJanus(cases: readonly JanusCase[], verdicts: readonly JanusVerdict[]): JanusTally[] {
  const tallies = new Map(janusKinds.map((kind): [JanusKind, JanusTally] => [kind, { kind, compared: 0, raised: 0, disagreements: [] }]))
  for (const [index, one] of cases.entries()) {
    const verdict = verdicts[index]
    if (!verdict) throw new CannotCompare(`there are ${verdicts.length} verdicts for ${cases.length} cases`)
    const tally = tallies.get(one.kind)!
    const own = ours[one.kind](one as unknown as Any)
    if ('raised' in verdict) tally.raised++
    else {
      tally.compared++
      if (!agree(verdict.value, own)) tally.disagreements.push({ case: one, theirs: verdict.value, ours: own })
    }
  }
  return [...tallies.values()]
}

/** Compares generated cases with the official scorers in `source`, a folder that holds the package janus_bench; returns the number of disagreements. */
export async function compareJanus(source: string | undefined, seed: number, count: number): Promise<number> {
  if (!source) throw new CannotCompare('janus needs --source FOLDER: one that holds the package janus_bench')
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-'))
  try {
    const environment = createEnvironment(join(folder, 'venv'), 11)
    const libraries = environment.install('httpx', 'pydantic')
    if (!libraries.ok) throw new CannotCompare(`pip could not install httpx and pydantic: ${libraries.detail}`)
    const cases = janusCases(seed, count)
    const [input, output] = [join(folder, 'cases.jsonl'), join(folder, 'verdicts.jsonl')]
    await writeFile(input, cases.map((one) => `${JSON.stringify(one)}\n`).join(''))
    const script = join(import.meta.dirname, 'janus-oracle.py')
    const done = spawnSync(environment.python, [script, resolve(source), input, output], { encoding: 'utf8', maxBuffer: 2 ** 28 })
    if (done.status !== 0)
      throw new CannotCompare(`the official code could not be run: ${done.stderr.trim().split('\n').slice(-3).join(' | ')}`)
    const lines = (await readFile(output, 'utf8')).trim().split('\n')
    const tallies = tallyJanus(
      cases,
      lines.map((line): JanusVerdict => JSON.parse(line)),
    )
    for (const { kind, compared, raised, disagreements } of tallies) {
      console.log(`${kind}: ${compared} compared, ${raised} raised there, ${disagreements.length} disagreements`)
      for (const one of disagreements.slice(0, 3)) console.log(JSON.stringify(one))
    }
    return tallies.reduce((sum, { disagreements }) => sum + disagreements.length, 0)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
