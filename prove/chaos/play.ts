import { mkdirSync } from 'node:fs'
import type { LedgerEntry } from '../provider/ledger.ts'
import { createRandom, type Random } from '../sim/random.ts'
import { type Api, openApi, type RunState } from './api.ts'
import { judge, type Testimony, type Verdict } from './judge.ts'
import { readLedger } from './ledger-file.ts'
import { isAlive, type PartName } from './processes.ts'
import { type Questions, writeQuestions } from './questions.ts'
import { createStriker, isOver, type Strike, type Striker } from './strike.ts'
import { startProvider, startSystem } from './system.ts'

export type ChaosOptions = {
  /** An empty directory; keeps data, ledger and logs. */
  dir: string
  /** For the Worker, on 127.0.0.1; 0 takes a free one. */
  port: number
  trials: number
  latencyMs: number
  width: number
  seed: number
  /** null: one run, in which agent, workerd and PostgreSQL are killed once each. Otherwise runs and random blows for so long. */
  minutes: number | null
  /** See `Testimony.lateBatches`. */
  lateBatches?: number
  say(line: string): void
}

export type RunVerdict = Verdict & { run_id: string; seconds: number }
type Played = { strikes: readonly Strike[]; ledger: readonly LedgerEntry[]; width: number; lateBatches: number }
export type ChaosReport = { strikes: Strike[]; runs: RunVerdict[]; breaches: string[] }

type Finished = Pick<Testimony, 'run' | 'trials' | 'events'> & { from_ms: number; to_ms: number }

const clock = (): number => performance.timeOrigin + performance.now()
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** Plays a run (or runs) on real processes while they are killed, takes everything down and judges each run by the provider's ledger. */
export async function playChaos(options: ChaosOptions): Promise<ChaosReport> {
  const { dir, port, trials, latencyMs, seed } = options
  mkdirSync(dir, { recursive: true })
  const questions = writeQuestions(dir, trials, seed)
  const provider = await startProvider(dir, questions.replies, latencyMs)
  const breaches: string[] = []
  const strikes: Strike[] = []
  const finished: Finished[] = []
  let seen: ReadonlySet<number> = new Set()
  try {
    const system = await startSystem({ dir, port, provider: provider.url, overrides: questions.overrides })
    try {
      const api = openApi(system.url)
      let calm = () => true
      const stage = createStage(api, options, finished, () => calm())
      const striker = createStriker(system.pid, api, stage.watch)
      calm = striker.calm
      seen = striker.seen
      await play(stage, striker, options, strikes)
    } finally {
      await system.stop()
    }
  } catch (error) {
    breaches.push(error instanceof Error ? error.message : String(error))
  } finally {
    await provider.stop()
  }
  const left = [...seen].filter(isAlive)
  if (left.length > 0) breaches.push(`processes ${left.join(', ')} are still there after the end`)
  const played = { strikes, ledger: readLedger(provider.ledger), width: options.width, lateBatches: options.lateBatches ?? 0 }
  const runs = finished.map((one) => judgeRun(one, questions, played))
  return { strikes, runs, breaches: [...breaches, ...runs.flatMap((run) => run.breaches)] }
}

type Stage = { watch(): RunState; runOnce(): Promise<void> }

/** Runs one after the other, and where the present one stands. */
function createStage(api: Api, { width, seed, trials: count }: ChaosOptions, finished: Finished[], calm: () => boolean): Stage {
  let state: RunState = { id: '', status: 'queued', done: 0 }
  return {
    watch: () => state,
    async runOnce() {
      const from_ms = clock()
      const id = await api.createRun(`chaos-${seed}-${finished.length}`, width)
      state = { id, status: 'queued', done: 0 }
      while (!isOver(state)) {
        state = (await api.tryRun(id)) ?? state
        await pause(50)
      }
      const to_ms = clock()
      const trials = await api.getTrials(id, count, calm)
      finished.push({ run: await api.getRun(id), trials, events: await api.getEvents(id), from_ms, to_ms })
    },
  }
}

async function play(stage: Stage, striker: Striker, options: ChaosOptions, strikes: Strike[]): Promise<void> {
  const failed = Promise.withResolvers<never>()
  const blows = options.minutes === null ? oneEach(stage, striker, options) : atRandom(stage, striker, options.minutes, options.seed)
  const striking = (async () => {
    for await (const strike of blows) {
      strikes.push(strike)
      options.say(tellStrike(strike))
    }
    return 'over' as const
  })()
  striking.catch(failed.reject)
  let open = true
  void striking.then(
    () => (open = false),
    () => (open = false),
  )
  do await Promise.race([stage.runOnce(), failed.promise])
  while (open && options.minutes !== null)
  await striking
}

/** Agent, workerd and PostgreSQL, each when a further share of the run is done. */
async function* oneEach({ watch }: Stage, striker: Striker, { trials }: ChaosOptions): AsyncGenerator<Strike> {
  const order: readonly PartName[] = ['agent', 'workerd', 'postgres']
  for (const [index, part] of order.entries()) {
    const from = Math.floor((trials * (index + 1)) / 5)
    while (watch().done < from && !isOver(watch())) await pause(10)
    yield await striker.kill([part])
  }
}

/** Blows drawn by the seed, 1 to 6 seconds apart, until the time is over. */
async function* atRandom({ watch }: Stage, striker: Striker, minutes: number, seed: number): AsyncGenerator<Strike> {
  const random = createRandom(seed)
  const until = Date.now() + minutes * 60_000
  while (watch().id === '') await pause(10)
  for (;;) {
    const waitMs = random.int(1_000, 6_000)
    const blow = drawBlow(random)
    if (Date.now() + waitMs >= until) return
    await pause(waitMs)
    yield blow === 'freeze' ? await striker.freezeAgent() : await striker.kill(blow)
  }
}

function drawBlow(random: Random): 'freeze' | PartName[] {
  return random.pick([
    'freeze',
    ['agent'],
    ['agent'],
    ['workerd'],
    ['workerd'],
    ['postgres'],
    ['host'],
    ['database'],
    ['agent', 'workerd'],
    ['agent', 'workerd', 'postgres'],
  ] as ('freeze' | PartName[])[])
}

export function tellStrike({ how, parts, done, serving_ms, going_on_ms }: Strike): string {
  const seconds = (ms: number | null) => (ms === null ? 'run over' : (ms / 1000).toFixed(2))
  const what = how === 'freeze' ? 'agent frozen 5 s' : parts.join('+')
  return `${what.padEnd(24)} ${String(done).padStart(7)} ${seconds(serving_ms).padStart(13)} ${seconds(going_on_ms).padStart(12)}`
}

function judgeRun({ from_ms, to_ms, ...told }: Finished, questions: Questions, played: Played): RunVerdict {
  const within = (ms: number): boolean => ms >= from_ms && ms <= to_ms
  const agentKills = played.strikes
    .filter(({ how, parts, at_ms }) => how === 'kill' && parts.includes('agent') && within(at_ms))
    .map(({ parts, at_ms }) => ({ at_ms, with_edge: parts.includes('workerd') }))
  const ledger = played.ledger.filter(({ started_ms }) => within(started_ms))
  const verdict = judge({ ...told, expected: questions.expected, ledger, agentKills, width: played.width, lateBatches: played.lateBatches })
  return { ...verdict, run_id: told.run.id, seconds: (to_ms - from_ms) / 1000 }
}
