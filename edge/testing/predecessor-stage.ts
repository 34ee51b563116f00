import { card as taskCard } from '#shared/benchmarks/terminal_tasks/card.ts'
import {
  exportedAt,
  sampleBundle,
  sampleMetrics,
  samplePlan,
  sampleRun,
  sampleTasks,
  vectorKey,
} from '#shared/export/testing/sample-run.ts'
import { readShell } from '../../prove/documents/read-shell.ts'
import { asAdmin, bearer, chutesKey, giveKey, openApp } from './call-app.ts'
import { exampleCard, exampleCards, exampleEnded, exampleModel, exampleSpec, exampleTrials } from './example-records.ts'
import { exampleFiles, zipOf } from './example-task.ts'
import { formBytes } from './form-bytes.ts'

export const exampleBundle = (): Promise<Uint8Array> => sampleBundle(sampleRun(3), vectorKey)

/** A service with a model, an ended and a canceled run, two uploaded tasks and a bundle: what the lines of the predecessors name. */
export async function openPredecessorStage(bundle: Uint8Array) {
  const cards = [...exampleCards, exampleCard({ name: 'tau2_bench_telecom' }), taskCard]
  const recomputation = { tasks: sampleTasks, computeMetrics: sampleMetrics, plan: samplePlan }
  const app = openApp({ cards, recomputation })
  app.deps.signer = vectorKey
  app.deps.now = () => exportedAt
  const signing = {
    fingerprint: vectorKey.fingerprint,
    public_key: vectorKey.public_key,
    valid_from: '2026-01-01T00:00:00Z',
    retired_at: null,
  }
  app.deps.store = { ...app.deps.store, listSigningKeys: async () => [signing], saveSigningKey: async () => undefined }
  app.record.models.set(exampleModel().id, exampleModel())
  const key = await giveKey(app, 'owner')
  const spec = exampleSpec({ owner_id: 'owner' })
  const ended = exampleEnded(spec)
  app.record.runs.set(spec.run_id, {
    ...ended,
    metrics: { mmlu_pro: { accuracy: { value: 0.7, low: 0.6, high: 0.8, n: 3, method: 'm' } } },
  })
  app.record.trials.set(spec.run_id, exampleTrials())
  const canceled = exampleSpec({ owner_id: 'owner', run_id: '99999999-9999-4999-8999-999999999999' as typeof spec.run_id })
  const head = { ...exampleEnded(canceled).head, status: 'canceled' as const, done: 1 }
  app.record.runs.set(canceled.run_id, { ...exampleEnded(canceled), spec: canceled, head })
  app.living.set(canceled.run_id, { spec: canceled, head })
  const zip = await zipOf(exampleFiles())
  const send = async (method: string, path: string, headers: Record<string, string>, body?: BodyInit) =>
    app.app.request(`https://bench.example${path}`, {
      method,
      headers: { 'cf-connecting-ip': '127.0.0.1', ...headers },
      ...(body !== undefined && { body }),
    })
  const upload = async (): Promise<string> => {
    const form = new FormData()
    form.set('agent', 'oracle')
    form.set('num_runs', '3')
    form.set('file', new File([zip], 'task.zip'))
    const sent = await formBytes(form)
    const answer = await send('POST', '/api/tasks', { ...bearer(key), ...sent.headers }, sent.body)
    return ((await answer.json()) as { id: string }).id
  }
  const names: Record<string, string> = {
    ...{ URL: 'https://bench.example', MODEL: exampleModel().slug, CHUTES: chutesKey, ADMIN: asAdmin['x-admin-secret'] },
    ...{ RUN: spec.run_id, CANCELED: canceled.run_id, TASK: await upload(), SPARE: await upload() },
  }
  const files: Record<string, Uint8Array> = { 'task.zip': zip, 'results.zip': bundle }
  return { key, names, files, send }
}

export type Stage = Awaited<ReturnType<typeof openPredecessorStage>>
export type Sent = { status: number; text: string; json: unknown }

/** Sends a line of curl as it stands, with the capital names of the stage in place; a line without a key of its own gets the owner's. */
export async function sendLine(line: string, { key, names, files, send }: Stage): Promise<Sent> {
  const [command] = readShell(line.replaceAll(/\b[A-Z]{3,}\b/g, (word) => names[word] ?? word))
  const words = command!.words.slice(1)
  const headers: Record<string, string> = {}
  let [method, body, address]: [string | undefined, BodyInit | undefined, string] = [undefined, undefined, '']
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (word === '-X') method = words[++at]!
    else if (word === '-H') {
      const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(words[++at]!) ?? []
      headers[name.toLowerCase()] = value
    } else if (word === '-d') body = words[++at]!
    else if (word === '-o') at++
    else if (word === '-F') {
      const [, field = '', file = ''] = /^(\w+)=@(.+)$/.exec(words[++at]!) ?? []
      const form = new FormData()
      form.set(field, new File([files[file] as Uint8Array<ArrayBuffer>], file))
      const sent = await formBytes(form)
      Object.assign(headers, sent.headers)
      body = sent.body
    } else address = word
  }
  if (headers.authorization === undefined && headers['x-admin-secret'] === undefined) Object.assign(headers, bearer(key))
  const answer = await send(method ?? (body === undefined ? 'GET' : 'POST'), address.replace(names.URL!, ''), headers, body)
  const text = await answer.text()
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {}
  return { status: answer.status, text, json }
}
