import { expect, test } from 'vitest'
import { CreatedApiKey } from '#shared/contract/api-keys.ts'
import { type AuditEntry, AuditPage } from '#shared/contract/audit.ts'
import { shortAddress } from '../auth/audit.ts'
import { asAdmin, bearer, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'
import { openSignIn } from '../testing/sign-in-stage.ts'

const model = exampleModel()
const run = { model_id: model.id, selected_benchmarks: ['mmlu_pro'] }
const entry = (seq: number, more: Partial<AuditEntry> = {}): AuditEntry => ({
  seq,
  at: '2026-01-02T03:04:05.000Z',
  actor_id: 'admin',
  actor_kind: 'admin',
  key_id: null,
  action: 'run.cancel',
  target: 'run:r',
  owner_id: null,
  detail: null,
  status: 200,
  address: '203.0.113.0/24',
  request_id: 'q',
  ...more,
})

test('[AUDIT4] an entry says who did what to which thing, with which key and from which network, and contains no secret', async () => {
  const { call, record } = openApp()
  record.models.set(model.id, model)
  const from = { 'cf-connecting-ip': '203.0.113.77' }
  const body = { name: 'ci', owner: 'Ada', budget: { day_usd: 5 } }
  const made = CreatedApiKey.parse(await (await call('POST', '/api/keys', { headers: { ...asAdmin, ...from }, body })).json())
  const headers = { ...bearer(made.key), ...from, 'idempotency-key': 'once' }
  const { id } = (await (await call('POST', '/api/runs', { headers, body: run })).json()) as { id: string }
  await call('POST', '/api/runs', { headers, body: run }) // the same once more
  await call('POST', `/api/runs/${id}/cancel`, { headers })
  await call('DELETE', `/api/keys/${made.id}`, { headers: { ...asAdmin, ...from } })
  await call('POST', '/api/runs', { headers, body: run }) // refused
  const [person] = [...record.owners.keys()].filter((owner) => owner.startsWith('owner-'))
  const byKey = { actor_id: person, actor_kind: 'key', key_id: made.id, owner_id: person, address: '203.0.113.0/24' }
  expect(record.audit).toMatchObject([
    {
      action: 'key.create',
      actor_id: 'admin',
      key_id: null,
      target: `key:${made.id}`,
      owner_id: person,
      detail: { name: 'ci', owner: 'Ada' },
      status: 201,
    },
    { action: 'run.create', ...byKey, target: `run:${id}`, detail: { benchmarks: ['mmlu_pro'] } },
    { action: 'run.cancel', ...byKey, target: `run:${id}` },
    { action: 'key.revoke', actor_id: 'admin', target: `key:${made.id}`, owner_id: person, detail: { name: 'ci' } },
  ])
  expect(record.audit.every(({ request_id, at }) => request_id.length > 8 && at.endsWith('Z'))).toBe(true)
  expect(JSON.stringify(record.audit)).not.toMatch(/cbr_|correct horse|203\.0\.113\.77/)
  const short = ['198.51.100.7', '::ffff:198.51.100.7', '2001:db8:1:2:3::4', '2001:db8::1', '::1', '', 'unknown'].map(shortAddress)
  expect(short).toEqual(['198.51.100.0/24', '198.51.100.0/24', '2001:db8:1::/48', '2001:db8:0::/48', '0:0:0::/48', '', ''])
})

test('[AUDIT4] signing in and out are entries of the person; an entry that cannot be written is tried again', async () => {
  const { browser, record, deps, due } = openSignIn()
  const { signIn, call } = browser()
  const { addAudit } = deps.store
  let away = true
  deps.store = { ...deps.store, addAudit: (one) => (away ? Promise.reject(new Error('away')) : addAudit(one)) }
  await signIn()
  const [session] = record.sessions.values()
  expect(record.audit).toEqual([])
  away = false
  for (const work of due.splice(0)) await work()
  const person = { actor_id: session!.owner_id, actor_kind: 'session', target: `session:${session!.id}` }
  expect(record.audit).toMatchObject([{ action: 'session.begin', ...person }])
  await call('POST', '/api/auth/logout')
  await call('POST', '/api/auth/logout')
  expect(record.audit.slice(1)).toMatchObject([{ action: 'session.end', ...person }])
})

test('[AUDIT3] a person reads own actions and those on own things, an operator all, an API key none; pages follow one another', async () => {
  const { browser, record, call } = openSignIn()
  const ada = browser()
  await ada.signIn()
  const owner_id = [...record.sessions.values()][0]!.owner_id
  record.audit.push(entry(2), entry(3, { owner_id, action: 'budget.set' }), entry(4, { actor_id: 'other' }))
  const read = async (query = '', headers?: Record<string, string>) => {
    const answer = headers ? await call('GET', `/api/audit${query}`, { headers }) : await ada.call('GET', `/api/audit${query}`)
    return AuditPage.parse(await answer.json())
  }
  const seqs = (page: AuditPage) => page.entries.map(({ seq }) => seq)
  expect(seqs(await read())).toEqual([3, 1])
  expect(seqs(await read('?action=budget.set'))).toEqual([3])
  expect(seqs(await read('', asAdmin))).toEqual([4, 3, 2, 1])
  const first = await read('?limit=3', asAdmin)
  expect([seqs(first), first.next, seqs(await read(`?limit=3&before=${first.next}`, asAdmin))]).toEqual([[4, 3, 2], 2, [1]])
  const made = CreatedApiKey.parse(await (await ada.call('POST', '/api/keys', { body: { name: 'ci' } })).json())
  for (const path of ['/api/audit', '/api/audit/export']) {
    expect((await call('GET', path, { headers: bearer(made.key) })).status).toBe(403)
    expect((await call('GET', path)).status).toBe(401)
  }
  expect((await ada.call('GET', '/api/audit?action=run.fly')).status).toBe(422)
})

test('[AUDIT3] the export has every entry once, page by page, as JSON lines or as CSV that no spreadsheet computes', async () => {
  const { record, call, deps } = openApp()
  for (let seq = 1; seq <= 1201; seq++) record.audit.push(entry(seq, { target: seq === 1201 ? '=1+1,"x"' : 'run:r' }))
  let asked = 0
  const { listAudit } = deps.store
  deps.store = {
    ...deps.store,
    async listAudit(filter) {
      asked++
      return listAudit(filter)
    },
  }
  const lines = async (format: string) => {
    const answer = await call('GET', `/api/audit/export?format=${format}`, { headers: asAdmin })
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="audit-2026-01-02.${format}"`)
    return (await answer.text()).trimEnd().split(/\r?\n/)
  }
  const json = await lines('jsonl')
  expect([json.length, asked, JSON.parse(json[0]!).seq, JSON.parse(json.at(-1)!)]).toEqual([1201, 3, 1201, entry(1)])
  const csv = await lines('csv')
  expect([csv.length, csv[0]]).toEqual([1202, 'seq,at,actor_id,actor_kind,key_id,action,target,owner_id,detail,status,address,request_id'])
  expect(csv[1]).toContain(`,run.cancel,"'=1+1,""x""",,,200,`)
  const away = openApp()
  away.record.away = true
  expect((await away.call('GET', '/api/audit/export', { headers: asAdmin })).status).toBe(503)
})
