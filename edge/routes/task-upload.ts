import { OpenAPIHono } from '@hono/zod-openapi'
import type { MiddlewareHandler } from 'hono'
import * as z from 'zod'
import type { StoredTask } from '#db/store.ts'
import { UploadedTask, UploadFields } from '#shared/contract/task-upload.ts'
import { findTaskAgent, taskAgents } from '#shared/episode/task-agents.ts'
import { taskZipLimits } from '#shared/harbor/zip-problem.ts'
import { holdsKey } from '#shared/secrets/redactor.ts'
import type { AppEnv } from '../app-env.ts'
import { actingOwner } from '../auth/team-access.ts'
import type { Deps } from '../deps.ts'
import { Problem, validationProblem } from '../problem.ts'
import { keyProblem } from '../refuse-keys.ts'
import { readUpload } from '../tasks/read-upload.ts'
import { type TakenForm, takeForm, type WantedFile } from '../tasks/take-form.ts'
import { keepArchive } from '../tasks/task-archive.ts'
import { json, refusals } from './answers.ts'
import { declareRoute } from './declare-route.ts'
import { requirePace } from './run-bounds.ts'
import { toUploadedTask } from './task-view.ts'

const wanted: WantedFile = {
  most_bytes: taskZipLimits.packed_bytes,
  too_large: 'An archive may have 100 MB. Leave out what the task can fetch while its image is built.',
  missing: 'The form has no `file`: add the ZIP of the task’s folder.',
  unnamed: 'task.zip',
}

/** A key in an address ends in the logs of every machine on its way. */
export const refuseKeysInAddress: MiddlewareHandler = async (c, next) => {
  for (const [name, values] of Object.entries(c.req.queries()))
    if (/api_?key/i.test(name) || values.some(holdsKey)) throw keyProblem(`/query/${name}`)
  await next()
}

const upload = declareRoute(
  {
    method: 'post',
    audits: 'task.upload',
    path: '/api/tasks',
    access: { who: 'key holder', scope: 'runs:write' },
    cost: 'heavy',
    summary: 'Upload a task in Harbor’s format: a ZIP of its folder (at most 100 MB), as `file` of a form',
    description:
      'The fields `name`, `model`, `provider`, `agent`, `harness`, `num_runs` and `team` may stand in the form or in the query. The archive is unpacked and checked as it arrives; one that cannot be taken is 422, and `errors` name its entries. Nothing is started. One request takes one archive with one task.',
    request: {
      query: UploadFields.partial().extend({ num_runs: z.string().max(10).optional() }),
    },
    responses: {
      200: json(UploadedTask, 'The task'),
      ...refusals(
        'validation',
        'bad-request',
        'unauthorized',
        'forbidden',
        'team-not-found',
        'body-too-large',
        'unsupported-media-type',
        'rate-limited',
        'no-artifact-store',
        'unavailable',
      ),
    },
  },
  refuseKeysInAddress,
)

/** The form, for documents: nothing here parses it, so that no more than a part of it is ever held. */
const Form = UploadFields.partial().extend({ file: z.string().meta({ format: 'binary' }) })

export function taskUploadRoutes(deps: Deps) {
  const routes = new OpenAPIHono<AppEnv>().openapi(upload, async (c) => {
    const { artifacts, store } = deps
    if (!artifacts)
      throw new Problem('no-artifact-store', 'This service keeps no artifacts, so it cannot keep tasks: its operator has bound no bucket.')
    const principal = { ...c.get('principal'), owner_id: c.get('owner_id') }
    await requirePace(principal, principal.owner_id, deps)
    const form = await takeForm(c, wanted, { ...deps, artifacts })
    try {
      const fields = readFields({ ...c.req.query(), ...form.fields })
      const owner_id = actingOwner(principal, fields.team, 'work')
      const read = await readUpload(form.file, form.filename, deps)
      const task = toTask(fields, form, read, { id: deps.newId(), owner_id, created_at: deps.now().toISOString() })
      await keepArchive(form.file, artifacts)
      await store.createTask(task)
      // Between the two somebody may have deleted the last other task of these bytes.
      await keepArchive(form.file, artifacts)
      c.header('location', `/api/tasks/${task.id}`)
      c.set('touched', { target: `task:${task.id}`, owner_id, detail: { name: task.name } })
      return c.json(toUploadedTask((await store.findTask(task.id))!, null, principal), 200) // it was written just now
    } finally {
      await form.file.drop().catch(() => undefined) // the sweep takes what stays
    }
  })
  const body = { required: true, content: { 'multipart/form-data': { schema: Form } } }
  routes.openAPIRegistry.registerPath({ ...upload, request: { ...upload.request, body } })
  return routes
}

function readFields(given: Record<string, string>): UploadFields {
  const parsed = UploadFields.safeParse(given)
  if (!parsed.success) throw validationProblem('form', parsed.error)
  const { data } = parsed
  if (data.name?.includes('\0'))
    throw new Problem('validation', 'A text may not hold the NUL character.', { errors: [{ pointer: '/name', message: 'holds NUL' }] })
  if (!findTaskAgent(data.agent)) throw unknownAgent(data.agent)
  return data
}

/** The refusal of somebody who cannot work here. */
export function unknownAgent(agent: string): Problem {
  const message = `There is no agent ${JSON.stringify(agent)}; there are: ${taskAgents.map(({ id }) => id).join(', ')}.`
  return new Problem('validation', message, { errors: [{ pointer: '/agent', message }] })
}

type Made = Pick<StoredTask, 'id' | 'owner_id' | 'created_at'>

function toTask(fields: UploadFields, form: TakenForm, read: Awaited<ReturnType<typeof readUpload>>, made: Made): StoredTask {
  return {
    ...made,
    ...read,
    name: fields.name ?? read.facts.harbor_name.slice(0, 200),
    original_filename: form.filename,
    size_bytes: form.file.size,
    sha256: form.file.sha256,
    model: fields.model ?? null,
    provider: fields.provider ?? null,
    agent: fields.agent,
    num_runs: fields.num_runs,
  }
}
