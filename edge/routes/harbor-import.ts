import { OpenAPIHono } from '@hono/zod-openapi'
import * as z from 'zod'
import { HarborImported, HarborImportQuery, type HarborRun, mostLeftOut } from '#shared/contract/harbor-import.ts'
import type { RunHead } from '#shared/contract/run.ts'
import { jobZipLimits } from '#shared/harbor/zip-problem.ts'
import type { AppEnv } from '../app-env.ts'
import type { ArtifactBucket } from '../artifacts/bucket.ts'
import { actingOwner } from '../auth/team-access.ts'
import type { Deps, Principal } from '../deps.ts'
import { type Importer, isWhole, type PlacedRun, type ReadJob, readJobZip, takeJobIn } from '../imports/import-zip.ts'
import { Problem } from '../problem.ts'
import { type TakenForm, takeZip, type WantedFile } from '../tasks/take-form.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { readMaintenance } from './maintenance.ts'
import { requireFewTrials, requirePace } from './run-bounds.ts'
import { storeRun } from './run-create.ts'
import { refuseKeysInAddress } from './task-upload.ts'

const wanted: WantedFile = {
  most_bytes: jobZipLimits.packed_bytes,
  too_large: 'An archive may have 100 MB. Leave recordings out, or import the job with bench import harbor.',
  missing: 'The form has no `file`: add the ZIP of the job’s folder.',
  unnamed: 'job.zip',
}

const importJob = declareRoute(
  {
    method: 'post',
    audits: 'run.import',
    path: '/api/import/harbor',
    access: { who: 'key holder', scope: 'runs:write' },
    cost: 'heavy',
    summary: 'Import a job of Harbor: a ZIP of its folder (at most 100 MB), as `file` of a form or as the body',
    description:
      'A run is made for each agent and model of the job, with its episodes as trials and what they left as artifacts; it says that it was imported and stands on no leaderboard. The archive is unpacked and checked as it arrives; one that cannot be taken is 422, and `errors` name its entries. The same archive gives the same runs again (200). An import that broke off has made nothing: send it again.',
    request: { query: HarborImportQuery },
    responses: {
      201: json(HarborImported, 'The runs that were made, and what was left out'),
      200: json(HarborImported, 'The runs that this archive made before'),
      ...refusals(
        'validation',
        'bad-request',
        'unauthorized',
        'forbidden',
        'team-not-found',
        'body-too-large',
        'unsupported-media-type',
        'rate-limited',
      ),
      ...refusals('too-many-trials', 'maintenance', 'no-artifact-store', 'unavailable'),
    },
  },
  refuseKeysInAddress,
)

const archive = z.string().meta({ format: 'binary' })

export function harborImportRoutes(deps: Deps) {
  const routes = new OpenAPIHono<AppEnv>().openapi(importJob, async (c) => {
    const { artifacts } = deps
    if (!artifacts)
      throw new Problem(
        'no-artifact-store',
        'This service keeps no artifacts, so it cannot keep what a job left: its operator has bound no bucket.',
      )
    const principal = { ...c.get('principal'), owner_id: c.get('owner_id') }
    const { visibility, team } = c.req.valid('query')
    const owner_id = actingOwner(principal, team, visibility === 'private' ? 'work' : 'manage')
    await requirePace(principal, principal.owner_id, deps)
    const { mode, message } = await readMaintenance(deps)
    if (mode) throw new Problem('maintenance', message || 'New runs are paused for maintenance. Try again later.', { retry_after_s: 300 })
    const sent = await takeZip(c, wanted, { ...deps, artifacts })
    try {
      const imported = await importSent(sent, { owner_id, visibility }, principal, { ...deps, artifacts })
      return imported.runs.some(({ made }) => made) ? c.json(imported, 201) : c.json(imported, 200, { 'idempotent-replayed': 'true' })
    } finally {
      await sent.file.drop().catch(() => undefined) // the sweep takes what stays
    }
  })
  const form = z.object({ file: archive })
  const body = { required: true, content: { 'multipart/form-data': { schema: form }, 'application/zip': { schema: archive } } }
  routes.openAPIRegistry.registerPath({ ...importJob, request: { ...importJob.request, body } })
  return routes
}

type Owner = Principal & { owner_id: string }

async function importSent(
  { file, filename }: TakenForm,
  importer: Importer,
  principal: Owner,
  deps: Deps & { artifacts: ArtifactBucket },
): Promise<HarborImported> {
  const read = await readJobZip(file, filename, importer, deps)
  for (const { spec } of read.runs) requireFewTrials(spec.benchmarks, deps.config)
  const before = new Map<string, RunHead>()
  for (const { spec } of read.runs) {
    const known = await deps.store.findRun(spec.run_id)
    if (known && isWhole(known.head)) before.set(spec.run_id, known.head)
  }
  const fresh = read.runs.filter(({ spec }) => !before.has(spec.run_id))
  await takeJobIn(file, read, fresh, deps)
  const made = new Map<string, RunHead>()
  for (const { spec } of fresh) {
    const run = {
      spec,
      label: { name: read.job.name.slice(0, 200), tags: [] },
      idempotency: null,
      sealed: null,
      replay: null,
      task_id: null,
      budgets: [],
    }
    made.set(spec.run_id, (await storeRun(run, principal, deps)).stored.head)
  }
  return toImported(read, (id) => before.get(id) ?? made.get(id)!, made, deps)
}

function toImported(
  { job, zip, runs, left }: ReadJob,
  headOf: (run_id: string) => RunHead,
  made: ReadonlyMap<string, RunHead>,
  { config }: Pick<Deps, 'config'>,
): HarborImported {
  const told = ({ spec, artifacts, means }: PlacedRun): HarborRun => {
    const { status, done, total } = headOf(spec.run_id)
    const { run_id, model, benchmarks } = spec
    const { profile: agent } = benchmarks[0]! // a job has terminal tasks alone
    const url = `${config.public_url.replace(/\/+$/, '')}/runs/${run_id}`
    return { run_id, url, agent, model: model.slug, status, trials: done, planned: total, artifacts, made: made.has(run_id), means }
  }
  const left_out = left.slice(0, mostLeftOut).map(({ entry, text }) => ({ entry: entry.slice(0, 1000), text: text.slice(0, 1000) }))
  return { job: job.name, job_id: job.id, sha256: zip.results, runs: runs.map(told), left_out, left_out_total: left.length }
}
