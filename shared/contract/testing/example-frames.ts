/** Frames of an agent to a run, one of each kind, as JSON texts. */
const usage = '{"input_tokens":12,"output_tokens":3,"cached_tokens":0,"reasoning_tokens":0}'
const params = '{"temperature":0,"top_p":null,"max_tokens":64,"stop":null,"seed":null,"reasoning_effort":null}'
const record = `{"ordinal":0,"attempt":1,"benchmark":"mmlu_pro","item_id":"4","epoch":0,"source_id":null,"item_hash":"h","group":null,"outcome":"right","score":1,"answer":"A","expected":"A","explanation":null,"flags":[],"detail":{},"messages":[{"role":"user","content":"Which?"}],"params":${params},"evidence":null,"failure":null,"item_metadata":{},"usage":${usage},"cost_usd":null,"calls":1,"model_reported":null,"system_fingerprint":null,"latency_ms":10,"ttft_ms":null,"max_gap_ms":null}`

export const runUpFrames: readonly string[] = [
  '{"type":"hello","protocol_min":7,"protocol_max":7,"agent_id":"box","session":"session-1","holding":[[0,1]],"pass":"ff"}',
  '{"type":"claim","count":32,"ask":1,"width":16,"working":0}',
  '{"type":"renew"}',
  `{"type":"report","id":1,"openings":{},"results":[${record}]}`,
  '{"type":"release","leases":[[3,1]]}',
  '{"type":"halt","failure":{"at":"provider","reason":"payment-required","retryable":false,"detail":"d","status":402},"until":null}',
  '{"type":"pulse","stage":"working","models":[]}',
  '{"type":"leave"}',
]
