import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { echoFile } from '#fleet/machine/testing/fixture-tasks.ts'
import { Run } from '#shared/contract/api.ts'
import { isTerminal } from '#shared/contract/run.ts'
import { UploadedTask } from '#shared/contract/task-upload.ts'
import { someOf } from '#shared/testing/draws.ts'
import { call, createRun, untilRun } from './call-api.ts'
import { type CanaryProvider, formsOf, models, startCanaryProvider } from './canary-provider.ts'
import { pastedKeys, pasteKeys } from './pasted-keys.ts'
import { newDataDir, type Stack, startStack } from './stack.ts'
import { keptTexts } from './stores.ts'
import { read, readableAddresses, type Visitor } from './surfaces.ts'
import { archiveOf } from './task-archives.ts'

// A provider that repeats everything it knows in every field it fills, over data whose texts nobody else may read.
const item = 'ITEMCANARY'
const ownersKey = `cpk_${'0wn3r'.repeat(8)}.k3y`
/** What the agent holds; the owner's key it has for the one run that brings it, and the provider learns it there. */
const held = ['sk-the-agents-own-key-9f8e7d6c5b', 'hf_TokenOfTheAgentForDataSets42', `cpk_${'4gent'.repeat(8)}.k3y`]
const secrets = (): string[] => [...held, ownersKey, ...pastedKeys]
const dir = newDataDir()
const files = newDataDir()
const runs: Run[] = []
const rescores: string[] = []
/** A task that its owner may read, and who operates the service. */
const taskWord = 'TASKCANARY'
let task: UploadedTask
let provider: CanaryProvider
let stack: Stack
let stopped = false
let pasted: Awaited<ReturnType<typeof pasteKeys>> = []

const gpqa = (n: number) => ({
  ...{ 'Record ID': `rec${n}`, Question: `${item} question ${n}?`, 'Correct Answer': `${item} right ${n}`, Explanation: `${item} why` },
  ...{ 'Incorrect Answer 1': `${item} a${n}`, 'Incorrect Answer 2': `${item} b${n}`, 'Incorrect Answer 3': `${item} c${n}` },
  ...{ Subdomain: `${item} field`, 'High-level domain': 'Physics', 'Canary String': '' },
})
const hle = (n: number) => ({
  ...{ id: `${n}`.repeat(24), question: `${item} riddle ${n}?`, image: '', answer: `${item} solution ${n}`, answer_type: 'exactMatch' },
  ...{ author_name: item, rationale: item, raw_subject: `${item} subject`, category: 'Math', canary: '' },
})
/** A row that its benchmark cannot read, with words and a key in the fields that do not fit. */
const faulty = (n: number) => ({ ...hle(n), id: `f${n}`, answer_type: `${item} ${held[0]}`, question: [`${item} ${held[1]}`] })
function fileOf(name: string, row: (n: number) => object): string {
  const path = join(files.path, `${name}.jsonl`)
  writeFileSync(path, [1, 2].map((n) => JSON.stringify(row(n))).join('\n'))
  return path
}

// Hooks run last one first: the directories go when the stack has stopped.
afterAll(() => {
  dir.remove()
  files.remove()
})
beforeAll(async () => {
  mkdirSync(files.path, { recursive: true })
  const overrides = { gpqa_diamond: fileOf('gpqa', gpqa), hle: fileOf('hle', hle), hle_text: fileOf('faulty', faulty) }
  provider = await startCanaryProvider(held)
  stack = await startStack(dir.path, {
    OPENAI_BASE_URL: provider.url,
    OPENAI_API_KEY: held[0]!,
    OPENAI_MODELS: models.join(','),
    HF_TOKEN: held[1]!,
    HF_ENDPOINT: provider.hub,
    CHUTES_API_KEY: held[2]!,
    CHUTES_MODELS_API_URL: provider.catalogue,
    CHUTES_API_BASE_URL: provider.url,
    PUBLIC_URL: 'http://bench.example',
    BENCH_DATA_OVERRIDES: JSON.stringify(
      Object.fromEntries(Object.entries(overrides).map(([name, path]) => [name, { files: [{ role: 'test', path }] }])),
    ),
  })
  held.push((JSON.parse(readFileSync(join(dir.path, 'secrets.json'), 'utf8')) as { agent_token: string }).agent_token)
  const common = { data: 'override', profile: 'builtin', epochs: 1, max_failure_share: 1 }
  for (const model_id of models.filter((name) => !name.startsWith('judge')))
    runs.push(await createRun(stack.url, { ...common, model_id, selected_benchmarks: ['gpqa_diamond'] }))
  for (const model_id of models.filter((name) => name.startsWith('judge')))
    runs.push(await createRun(stack.url, { ...common, model_id: 'echo', selected_benchmarks: ['hle'], judge: { model_id } }))
  // Data sets that fail: one that is refused, one that is sent elsewhere and not found there, and one whose rows cannot be read.
  for (const [benchmark, data] of [
    ['gpqa_diamond', 'pinned'],
    ['hle', 'pinned'],
    ['hle_text', 'override'],
  ] as const)
    runs.push(
      await createRun(stack.url, {
        ...common,
        data,
        model_id: 'echo',
        selected_benchmarks: [benchmark],
        allow_self_judge: true,
        ...(benchmark !== 'gpqa_diamond' && { judge: { model_id: 'judge-echo' } }),
      }),
    )
  const paid = await call(stack.url, 'POST', '/api/runs/api', {
    headers: { authorization: `Bearer ${ownersKey}` },
    body: { visibility: 'public', ...common, model_id: 'chutes/echo', selected_benchmarks: ['gpqa_diamond'] },
  })
  const started = await paid.text()
  expect([paid.status, started]).toEqual([201, started])
  runs.push(Run.parse(JSON.parse(started)))
  for (const { id } of runs) await untilRun(stack.url, id, (run) => isTerminal(run.status) || run.head.parked !== null)
  for (const { id } of runs) await call(stack.url, 'HEAD', `/api/runs/${id}/export`) // waits until an ended run is in the record
  const rescored = await call(stack.url, 'POST', `/api/runs/${runs[0]!.id}/rescore`, { body: {} })
  expect(rescored.status).toBe(201)
  const form = new FormData()
  const { name, bytes } = await archiveOf('canary', echoFile({}, { 'instruction.md': `${taskWord} is to be written.\n` }))
  form.set('file', new Blob([new Uint8Array(bytes)]), name)
  task = UploadedTask.parse(await (await fetch(`${stack.url}/api/tasks`, { method: 'POST', body: form })).json())
  pasted = await pasteKeys(stack.url, runs[0]!.id, { 'x-admin-secret': stack.adminSecret })
  rescores.push(((await rescored.json()) as { rescores: { id: string }[] }).rescores[0]!.id)
}, 400_000)
afterAll(async () => {
  if (!stopped) await stack?.stop()
  await provider?.close()
})

/**
 * Lists the middle of each form of each secret, both plain and escaped as in JSON. The ends are left out:
 * in base64 they depend on the neighbouring bytes.
 */
const hidden = (): string[] => {
  const middles = secrets()
    .flatMap(formsOf)
    .map((form) => form.slice(4, -4))
  return [...new Set(middles.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)]))]
}
const foundIn = (text: string, forms: readonly string[] = hidden()): string[] => forms.filter((form) => text.includes(form))

async function addresses(): Promise<string[]> {
  const document = await (await call(stack.url, 'GET', '/api/openapi.json')).json()
  const names = ['gpqa_diamond', 'hle', 'hle_text']
  const values = {
    id: [...runs.map(({ id }) => id), task.id],
    rescore_id: rescores,
    name: names,
    benchmark: names,
    item: ['0'],
    item_id: ['0'],
    ordinal: ['0'],
    agent_id: ['x'],
    sha256: [task.sha256],
    rid: [`${runs[0]!.id}.0`],
  }
  return readableAddresses(document as Parameters<typeof readableAddresses>[0], values)
}
const visitors = (): Visitor[] => [
  { name: 'owner', headers: {} },
  { name: 'operator', headers: { 'x-admin-secret': stack.adminSecret } },
  { name: 'stranger', headers: { host: 'bench.example' } },
]

test('[SEC20] whatever a provider, a judge or a data set says, nobody reads a key, and nobody but the owner an item of gated data', async () => {
  const known = await addresses()
  expect(known.length).toBeGreaterThan(200)
  // Every address of the first run and of the task is read, and 300 addresses of the other runs.
  const isKept = (address: string): boolean => address.includes(runs[0]!.id) || address.includes(task.id)
  const all = [
    ...known.filter(isKept),
    ...someOf(
      known.filter((address) => !isKept(address)),
      300,
    ),
  ]
  const forms = hidden()
  const read_ = { owner: '', operator: '', stranger: '' } as Record<string, string>
  for (const visitor of visitors()) {
    const leaks: string[] = []
    let answered = 0
    for (const address of all) {
      // The admin secret goes with requests of programs; pages know their visitor by where he sits.
      if (visitor.name === 'operator' && !address.startsWith('/api/')) continue
      const { status, text } = await read(stack.url, address, visitor, /"event_type":"run_(parked|completed|failed)"|"type":"waiting"/)
      if (status === 200) answered++
      // 501 means that a feature is not configured, 503 that a part of the service is down.
      if (status >= 500 && status !== 501 && status !== 503) leaks.push(`${address}: ${status}`)
      for (const form of foundIn(text, forms)) leaks.push(`${address}: ${form.slice(0, 20)}…`)
      if (visitor.name !== 'owner' && text.includes(item))
        leaks.push(`${address}: …${text.slice(text.indexOf(item) - 60, text.indexOf(item) + 30)}`)
      if (visitor.name === 'stranger' && text.includes(taskWord)) leaks.push(`${address}: an uploaded task`)
      if (address.includes(runs[0]!.id) || address.includes(task.id)) read_[visitor.name] += text
    }
    console.log(`${visitor.name}: ${all.length} addresses, ${answered} answered with 200`)
    expect([visitor.name, leaks]).toEqual([visitor.name, []])
    expect(answered).toBeGreaterThan(100)
  }
  // The search above finds what is there: the owner reads items, and the mark where keys were.
  expect(read_.owner).toContain(item)
  expect(read_.owner).toContain('[redacted]')
  expect(read_.owner).toContain(taskWord)
  // What a PDF shows was read, not its packed bytes.
  expect(read_.stranger).toContain('BENCHMARK REPORT')
}, 400_000)

test('[SEC30] a key that a user puts anywhere but into the Authorization header is refused where it would be kept, and never repeated', () => {
  const writes = pasted.filter(({ what }) => !what.startsWith('GET '))
  expect(writes.filter(({ status }) => status !== 422 && status !== 404).map(({ what, status }) => `${what}: ${status}`)).toEqual([])
  expect(pasted.filter(({ status }) => status >= 500).map(({ what }) => what)).toEqual([])
  expect(pasted.filter(({ text }) => foundIn(text).length > 0).map(({ what }) => what)).toEqual([])
  expect(pasted.length).toBeGreaterThan(100)
})

test('[SEC20] every way to fail was gone, and says for everybody why and who must act', async () => {
  const reasons: Record<string, string[]> = {}
  for (const { id, model_slug } of runs) {
    const { status, text } = await read(stack.url, `/api/runs/${id}`, visitors()[2]!, /x/)
    expect([status, text]).toEqual([200, text])
    const seen = Run.parse(JSON.parse(text.slice(text.indexOf('\n'))))
    reasons[model_slug] = [
      ...(reasons[model_slug] ?? []),
      seen.head.parked?.reason ?? (Object.keys(seen.head.failures).join() || seen.status),
    ]
  }
  expect(reasons).toEqual({
    e400: ['provider/bad-request'],
    e401: ['provider/unauthorized'],
    e402: ['provider/payment-required'],
    e403: ['provider/forbidden'],
    e404: ['provider/not-found'],
    e429: ['provider/rate-limited'],
    e500: ['provider/server-error'],
    cut: ['provider/cut-stream'],
    html: ['provider/bad-response'],
    wrong: ['provider/bad-response'],
    'error-object': ['provider/server-error'],
    filtered: ['provider/content-filter'],
    echo: [
      ...['succeeded', 'judge/unreadable', 'judge/forbidden', 'succeeded'],
      ...['dataset/gated', 'dataset/unavailable', 'dataset/bad-record'],
    ],
    'chutes/echo': ['succeeded'],
  })
})

test('[SEC21] no store holds a key in any form: tables, objects, logs and files', async () => {
  await stack.stop()
  stopped = true
  const places: string[] = []
  let items = 0
  for await (const { place, text } of keptTexts(dir.path)) {
    places.push(place)
    if (place !== 'secrets.json') expect([place, foundIn(text)]).toEqual([place, []])
    if (text.includes(item)) items++
  }
  for (const kind of [/^table public\.trials$/, /^table public\.events$/, /\.sqlite$/, /^logs\//])
    expect(places.some((place) => kind.test(place))).toBe(true)
  expect(items).toBeGreaterThan(2)
}, 200_000)
