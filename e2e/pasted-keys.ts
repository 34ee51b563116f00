import { call } from './call-api.ts'

/** Keys that nobody gave to the service: people paste them where none belongs. */
export const pastedKeys = [`cpk_${'p4sted'.repeat(8)}.k3y`, `sk-proj-${'n0tHere'.repeat(6)}`]

type Sent = { method: string; path: string; body?: unknown; headers?: Record<string, string> }

/** Requests with a key in every field that a user can fill, and in every address that takes a word. */
function requestsWith(key: string, run: string, admin: Record<string, string>): Sent[] {
  const body = { model_id: 'echo', selected_benchmarks: ['gpqa_diamond'], data: 'override', profile: 'builtin', subset_count: 1 }
  const fields = ['model_id', 'provider', 'subset_seed', 'profile', 'reasoning_effort', 'name', 'suite', 'visibility', 'api_key', key]
  const bodies = [
    ...fields.map((field) => ({ ...body, [field]: key })),
    ...[{ tags: [key] }, { selected_benchmarks: [key] }, { judge: { model_id: key } }, { config: { token: key } }].map((one) => ({
      ...body,
      ...one,
    })),
  ]
  const items = `/api/runs/${run}/items`
  const addresses = [
    `/api/${key}`,
    `/api/runs/${key}`,
    `${items}/gpqa_diamond/${key}`,
    `/api/runs/${run}/benchmarks/${key}`,
    `/api/runs/${run}/rescores/${key}`,
  ]
  const queries = ['q', 'tag', 'model_slug', 'model_id', 'status', 'benchmark', 'ids', 'sort'].map((name) => `/api/runs?${name}=${key}`)
  const searches = ['q', 'group', 'flag', 'failure', 'order', 'benchmark'].map((name) => `${items}?${name}=${key}`)
  return [
    ...['/api/runs', '/api/runs/plan', '/api/runs/api'].flatMap((path) => bodies.map((one) => ({ method: 'POST', path, body: one }))),
    { method: 'POST', path: '/api/runs', body, headers: { 'idempotency-key': key } },
    { method: 'PATCH', path: `/api/runs/${run}`, body: { name: key } },
    { method: 'PATCH', path: `/api/runs/${run}`, body: { tags: [key] } },
    { method: 'POST', path: '/api/keys', body: { name: key }, headers: admin },
    { method: 'POST', path: '/api/admin/maintenance', body: { enabled: true, message: key }, headers: admin },
    { method: 'DELETE', path: `/api/agents/${key}`, headers: admin },
    { method: 'DELETE', path: `/api/keys/${key}`, headers: admin },
    ...[...addresses, ...queries, ...searches].map((path) => ({ method: 'GET', path })),
  ]
}

/** Pastes the keys everywhere, and gives back every answer. */
export async function pasteKeys(base: string, run: string, admin: Record<string, string>) {
  const answers: { what: string; status: number; text: string }[] = []
  for (const { method, path, ...sent } of pastedKeys.flatMap((key) => requestsWith(key, run, admin))) {
    const response = await call(base, method, path, sent)
    answers.push({ what: `${method} ${path} ${JSON.stringify(sent.body ?? null)}`, status: response.status, text: await response.text() })
  }
  return answers
}
