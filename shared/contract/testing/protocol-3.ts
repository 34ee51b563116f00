import * as z from 'zod'

/** Frames as programs of protocol 3 said them, one of each kind and form. They are never changed: what they say must still be understood. */
const usage = '{"input_tokens":12,"output_tokens":3,"cached_tokens":0,"reasoning_tokens":0}'
const params = '{"temperature":0,"top_p":null,"max_tokens":64,"stop":null,"seed":null,"reasoning_effort":null}'
const spec = `{"run_id":"11111111-1111-4111-8111-111111111111","owner_id":"local","visibility":"public","model":{"id":"m","slug":"m","provider":"demo"},"own_credential":false,"price":null,"benchmarks":[{"name":"mmlu_pro","version":3,"profile":"builtin","epochs":1,"total_items":210,"sampled_items":10,"gated":false,"data":{"source":"sample","repo":"r","revision":"1","files":[]},"params":${params}}],"subset":{"pct":5,"count":null,"seed":"default","sampling":"sha256"},"concurrency":16,"priority":0,"max_failure_share":0.01,"budget_usd":null,"created_at":"2026-11-01T10:00:00.000Z"}`
const record = `{"ordinal":0,"attempt":1,"benchmark":"mmlu_pro","item_id":"4","epoch":0,"source_id":null,"item_hash":"h","group":null,"outcome":"right","score":1,"answer":"A","expected":"A","explanation":null,"flags":[],"detail":{},"messages":[{"role":"user","content":"Which?"}],"params":${params},"evidence":null,"failure":null,"item_metadata":{},"usage":${usage},"cost_usd":null,"calls":1,"model_reported":null,"system_fingerprint":null,"latency_ms":10,"ttft_ms":null,"max_gap_ms":null}`

export const framesOf3 = {
  FleetUp: [
    '{"type":"hello","protocol":3,"agent_id":"box","session":"session-1","host":"h","version":"0.1.0","capabilities":["llm","provider:demo"],"slots":256,"secret":"0123456789abcdef"}',
    '{"type":"rate","ask":1,"provider":"chutes","want":12}',
    '{"type":"heartbeat","free_slots":250,"running":6,"draining":false}',
  ],
  FleetDown: [
    '{"type":"welcome","heartbeat_ms":10000,"pool":"default"}',
    '{"type":"rate","ask":1,"permits":null}',
    '{"type":"assign","runs":[{"run_id":"11111111-1111-4111-8111-111111111111","slots":16,"pass":"ff"}]}',
    '{"type":"assign","runs":[]}',
  ],
  RunUp: [
    '{"type":"hello","protocol":3,"agent_id":"box","session":"session-1","holding":[[0,1]],"pass":"ff"}',
    '{"type":"claim","count":32}',
    '{"type":"renew"}',
    `{"type":"report","id":1,"openings":{},"results":[${record}]}`,
    '{"type":"release","leases":[[3,1]]}',
    '{"type":"halt","failure":{"at":"provider","reason":"payment-required","retryable":false,"detail":"d","status":402},"until":null}',
    '{"type":"pulse","stage":"working","models":[]}',
    '{"type":"leave"}',
  ],
  RunDown: [
    `{"type":"welcome","spec":${spec},"status":"running","lease_ms":30000,"renew_ms":10000,"pulse_ms":1000}`,
    '{"type":"leases","leases":[{"ordinal":0,"attempt":1,"benchmark":"mmlu_pro","item_id":"4","epoch":0}],"credential":"cpk_x"}',
    '{"type":"ack","id":1,"refused":0}',
    '{"type":"drop","leases":[[0,1]]}',
    '{"type":"state","status":"running","concurrency":16,"open":9}',
  ],
} as const

const held = z.array(z.tuple([z.int(), z.int()]))
const frame = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) => z.object({ type: z.literal(type), ...shape })

/** How programs of protocol 3 read what they were sent: a frame of a kind that is not here ended the connection, strange fields were passed over. */
export const readersOf3 = {
  FleetUp: z.discriminatedUnion('type', [
    frame('hello', {
      protocol: z.literal(3),
      agent_id: z.string(),
      session: z.string(),
      host: z.string(),
      version: z.string(),
      capabilities: z.array(z.string()),
      slots: z.int().min(1),
      secret: z.string().min(16),
    }),
    frame('rate', { ask: z.int(), provider: z.string(), want: z.int() }),
    frame('heartbeat', { free_slots: z.int(), running: z.int(), draining: z.boolean() }),
  ]),
  FleetDown: z.discriminatedUnion('type', [
    frame('welcome', { heartbeat_ms: z.int(), pool: z.string() }),
    frame('rate', { ask: z.int(), permits: z.int().nullable() }),
    frame('assign', { runs: z.array(z.object({ run_id: z.string(), slots: z.int().min(1), pass: z.string() })) }),
  ]),
  RunUp: z.discriminatedUnion('type', [
    frame('hello', { protocol: z.literal(3), agent_id: z.string(), session: z.string(), holding: held, pass: z.string().optional() }),
    frame('claim', { count: z.int().min(1).max(5000) }),
    frame('renew', {}),
    frame('report', { id: z.int().min(1), openings: z.record(z.string(), z.string()), results: z.array(z.unknown()) }),
    frame('release', { leases: held }),
    frame('halt', { failure: z.unknown(), until: z.string().nullable() }),
    frame('pulse', { stage: z.string(), models: z.array(z.unknown()) }),
    frame('leave', {}),
  ]),
  RunDown: z.discriminatedUnion('type', [
    frame('welcome', { spec: z.unknown(), status: z.string(), lease_ms: z.int(), renew_ms: z.int(), pulse_ms: z.int().nullish() }),
    frame('leases', { leases: z.array(z.unknown()), credential: z.string().optional() }),
    frame('ack', { id: z.int(), refused: z.int() }),
    frame('drop', { leases: held }),
    frame('state', { status: z.string(), concurrency: z.int(), open: z.int() }),
  ]),
}
