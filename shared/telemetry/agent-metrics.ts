import { failureReasons } from '../contract/failure.ts'
import type { MetricDef } from './metric-def.ts'

const places = Object.keys(failureReasons) as (keyof typeof failureReasons)[]
/** A model as an agent asks it: both names are the operators' and few, but nobody promises it. */
const model = { provider: { most: 20 }, model: { most: 50 } }
const callOutcomes = ['answer', 'canceled', ...failureReasons.provider] as const

/** Answers take from a tenth of a second to half an hour. */
const callSeconds = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300, 600, 1200, 1800]
const firstTokenSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 60, 120, 300]
/** An image is there at once, or comes in up to an hour. */
const imageSeconds = [0.01, 0.1, 1, 5, 15, 60, 180, 600, 1800, 3600]
const lagSeconds = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5]

/** What an agent's own process measures; each agent tells its own. */
export const agentMetrics = {
  bench_agent_info: {
    kind: 'gauge',
    unit: 'none',
    labels: { version: { most: 1 } },
    help: 'Always 1; its label is the version of the agent.',
  },
  bench_agent_start_time_seconds: { kind: 'gauge', unit: 'seconds', labels: {}, help: 'When the process began, in seconds since 1970.' },
  bench_agent_connected: { kind: 'gauge', unit: 'none', labels: {}, help: '1 while the agent is connected to the fleet, else 0.' },
  bench_agent_draining: {
    kind: 'gauge',
    unit: 'none',
    labels: {},
    help: '1 while the agent finishes what is in flight before it ends, else 0.',
  },
  bench_agent_connections_total: {
    kind: 'counter',
    unit: 'events',
    labels: { to: { values: ['fleet', 'run'] }, event: { values: ['opened', 'failed', 'lost'] } },
    help: 'Connections to the service: opened, failed before that, or lost although the agent did not close them.',
  },
  bench_agent_slots: { kind: 'gauge', unit: 'trials', labels: {}, help: 'Trials the agent may have in work at once.' },
  bench_agent_working: { kind: 'gauge', unit: 'trials', labels: {}, help: 'Trials in work now.' },
  bench_agent_runs: { kind: 'gauge', unit: 'runs', labels: {}, help: 'Runs the agent is connected to now.' },
  bench_agent_backlog: {
    kind: 'gauge',
    unit: 'trials',
    labels: {},
    help: 'Finished trials that the service has not acknowledged yet. At 4000 in a run the agent takes no more of it.',
  },
  bench_agent_lane_used: {
    kind: 'gauge',
    unit: 'none',
    labels: { lane: { values: ['model', 'sandbox', 'elsewhere'] }, unit: { values: ['calls', 'cpus', 'memory_mb', 'disk_mb'] } },
    help: 'What trials hold of a lane now: calls of `model`, processors, memory and disk of `sandbox` on this machine or `elsewhere`.',
  },
  bench_agent_lane_waiting: {
    kind: 'gauge',
    unit: 'trials',
    labels: { lane: { values: ['model', 'sandbox', 'elsewhere'] } },
    help: 'Trials that wait for room in a lane.',
  },
  bench_agent_trials_total: {
    kind: 'counter',
    unit: 'trials',
    labels: { outcome: { values: ['right', 'wrong', 'failed', 'given-up', 'released'] } },
    help: 'Trials the agent is done with: scored, failed, given up on the way, or handed back unbegun.',
  },
  bench_agent_failures_total: {
    kind: 'counter',
    unit: 'trials',
    labels: { at: { values: places }, reason: { values: [...new Set(Object.values(failureReasons).flat())] } },
    help: 'Failed trials by where and why they failed.',
  },
  bench_agent_halts_total: {
    kind: 'counter',
    unit: 'events',
    labels: {},
    help: 'Runs that this agent parked because nothing of them could succeed.',
  },
  bench_agent_calls_total: {
    kind: 'counter',
    unit: 'calls',
    labels: { ...model, outcome: { values: callOutcomes } },
    help: 'Calls sent to models by what came of them; `rate-limited` is a refusal with status 429.',
  },
  bench_agent_retries_total: { kind: 'counter', unit: 'calls', labels: model, help: 'Calls sent again after one that failed.' },
  bench_agent_tokens_total: {
    kind: 'counter',
    unit: 'tokens',
    labels: { ...model, kind: { values: ['input', 'output', 'cached', 'reasoning'] } },
    help: 'Tokens as providers counted them; `cached` is part of `input`, `reasoning` of `output`.',
  },
  bench_agent_call_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    labels: model,
    buckets: callSeconds,
    help: 'Time from sending a call to its end, answers only.',
  },
  bench_agent_first_token_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    labels: model,
    buckets: firstTokenSeconds,
    help: 'Time from sending a call to the first token of its answer.',
  },
  bench_agent_calls_in_flight: { kind: 'gauge', unit: 'calls', labels: model, help: 'Calls under way now.' },
  bench_agent_calls_waiting: { kind: 'gauge', unit: 'calls', labels: model, help: 'Calls that wait for width, pace or a cool-down now.' },
  bench_agent_limiter_width: { kind: 'gauge', unit: 'calls', labels: model, help: 'Calls the adaptive limiter lets be in flight at once.' },
  bench_agent_circuits_open: {
    kind: 'gauge',
    unit: 'none',
    labels: model,
    help: 'Keys under which the model keeps failing, so that nothing but a probe is sent.',
  },
  bench_agent_images_total: {
    kind: 'counter',
    unit: 'images',
    labels: { how: { values: ['there', 'ahead', 'waited'] } },
    help: 'Images that machines of tasks started from: there already, there because they had been made ready before a machine wanted them (a hit), or waited for (a miss).',
  },
  bench_agent_image_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    labels: { how: { values: ['there', 'ahead', 'waited'] } },
    buckets: imageSeconds,
    help: 'Time from when a machine wanted its image until it had it.',
  },
  bench_agent_images_ahead_total: {
    kind: 'counter',
    unit: 'images',
    labels: { what: { values: ['fetched', 'there', 'failed'] } },
    help: 'Images that were to be made ready before a machine wants them: pulled or built, there already, or not to be had.',
  },
  bench_agent_images_ahead_seconds_total: {
    kind: 'counter',
    unit: 'seconds',
    labels: {},
    help: 'Time that pulling and building images took before a machine wanted them.',
  },
  bench_agent_event_loop_lag_seconds: {
    kind: 'histogram',
    unit: 'seconds',
    labels: {},
    buckets: lagSeconds,
    help: 'How much later than asked a timer of the process fired, looked at twice a second.',
  },
  bench_agent_memory_bytes: {
    kind: 'gauge',
    unit: 'bytes',
    labels: { kind: { values: ['rss', 'heap_used', 'heap_total', 'external'] } },
    help: 'Memory of the process as Node counts it; all other kinds are part of `rss`.',
  },
  bench_agent_cpu_seconds_total: { kind: 'counter', unit: 'seconds', labels: {}, help: 'Processor time the process took.' },
} as const satisfies Record<string, MetricDef>
