import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { AgentList, Run } from '#shared/contract/api.ts'
import type { SandboxProof } from '#shared/contract/resources.ts'
import { filesOf, TaskRow } from '#shared/episode/task-row.ts'
import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import { persist } from '../chaos/api.ts'
import { root, type Service, sh } from '../deploy/service.ts'

/** A service with a key for it, and a folder for what is written. */
export type Visitor = { service: Service; key: string; dir: string }

const bench = `"${process.execPath}" "${join(root, 'fleet', 'cli', 'bench.mjs')}"`

/** Makes a key as the operator does. */
export async function visit(service: Service, dir: string): Promise<Visitor> {
  const response = await fetch(`${service.url}/api/keys`, {
    method: 'POST',
    headers: { 'x-admin-secret': service.secrets.ADMIN_SECRET!, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'fleet', owner: 'fleet' }),
  })
  const { key } = z.object({ key: z.string() }).parse(await response.json())
  return { service, key, dir }
}

/** Runs the command line as this visitor; what it wrote. */
export const cli = ({ service, key, dir }: Visitor, words: string): Promise<string> =>
  sh(`${bench} ${words}`, dir, { ...service.env, BENCH_API_KEY: key })

const get = async <T>({ service, key }: Visitor, path: string, schema: z.ZodType<T>): Promise<T> => {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`)
  return schema.parse(await response.json())
}

/** Waits until an agent is connected and every kind of these is proved. */
export const untilProved = (visitor: Visitor, kinds: readonly string[]): Promise<SandboxProof[]> =>
  persist(`an agent with ${kinds.join(' and ')}`, async () => {
    const { agents } = await get(visitor, '/api/agents', AgentList)
    const proofs = agents.find(({ connected }) => connected)?.resources?.proofs ?? []
    return kinds.every((kind) => proofs.some((proof) => proof.kind === kind && proof.ok)) ? proofs : undefined
  })

/** The run with this id once it has ended. */
export const untilEnded = (visitor: Visitor, id: string, forMs?: number): Promise<Run> =>
  persist(
    `the end of run ${id}`,
    async () => {
      const run = await get(visitor, `/api/runs/${id}`, Run).catch(() => null)
      return run && ['succeeded', 'failed', 'canceled'].includes(run.status) ? run : undefined
    },
    forMs,
  )

export const runOf = (visitor: Visitor, id: string): Promise<Run> => get(visitor, `/api/runs/${id}`, Run)

const Failed = z.object({ failure: z.object({ reason: z.string(), detail: z.string() }).nullish() })

/** Why trials of a run failed, each reason once. */
export async function failuresOf({ service, key }: Visitor, id: string): Promise<string[]> {
  const response = await fetch(`${service.url}/api/runs/${id}/export?format=jsonl`, { headers: { authorization: `Bearer ${key}` } })
  const trials = (await response.text()).split('\n').filter(Boolean)
  const told = trials.flatMap((line) => Failed.parse(JSON.parse(line)).failure ?? [])
  return [...new Set(told.map(({ reason, detail }) => `${reason}: ${detail}`))]
}

/** Starts a run and gives its id. */
export async function startRun(visitor: Visitor, words: string): Promise<string> {
  const said = await cli(visitor, `run ${words} --json`)
  const id = /"(?:run_)?id":"([0-9a-f-]{36})"/.exec(said)?.[1]
  if (!id) throw new Error(`the run has no id:\n${said}`)
  return id
}

/**
 * Writes an example task as its author would pack it, on an image that needs no registry; the file.
 * `change`: of its texts.
 */
export async function packTask(
  dir: string,
  name: string,
  image: string,
  change: (path: string, text: string) => string = (_, text) => text,
): Promise<string> {
  const lines = readFileSync(join(root, 'shared/benchmarks/terminal_tasks/tasks.jsonl'), 'utf8').trim().split('\n')
  const row = lines.map((line) => TaskRow.parse(JSON.parse(line))).find(({ task }) => task === name)
  if (!row) throw new Error(`There is no example ${name}.`)
  const files = filesOf(row).map((file) => {
    const isText = /(Dockerfile|\.toml|\.sh|\.py)$/.test(file.path)
    const text = isText ? new TextDecoder().decode(file.bytes) : ''
    const own = text.replace(/^FROM .*/, `FROM ${image}`).replace('network_mode = "public"', 'network_mode = "no-network"')
    return { ...file, path: `${name}/${file.path}`, bytes: isText ? new TextEncoder().encode(change(file.path, own)) : file.bytes }
  })
  const pieces: Uint8Array[] = []
  for await (const piece of writeTaskZip(files)) pieces.push(piece)
  const file = join(dir, `${name}.zip`)
  writeFileSync(file, Buffer.concat(pieces))
  return file
}

const Executed = z.object({ run_id: z.string() })

/** Uploads an archive, executes it and gives the id of the run. */
export async function executeTask(visitor: Visitor, file: string, words: string): Promise<string> {
  const said = await cli(visitor, `upload "${file}" --execute --json ${words}`)
  const id = /"run_id":"([0-9a-f-]{36})"/.exec(said)?.[1]
  return Executed.parse({ run_id: id }).run_id
}
