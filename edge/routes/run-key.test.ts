import { expect, test } from 'vitest'
import { Run } from '#shared/contract/api.ts'
import { credentialContext } from '../auth/seal.ts'
import { asAdmin, bearer, chutesKey, openApp } from '../testing/call-app.ts'
import { exampleModel } from '../testing/example-records.ts'

/** A run that is paid with a Chutes key, and what its object is told from then on. */
async function paidRun() {
  const app = openApp()
  app.record.models.set(exampleModel().id, exampleModel())
  const told: { type: string; sealed: string | null | undefined }[] = []
  const { command, create } = app.deps.runs
  app.deps.runs.create = (spec, sealed) => {
    told.push({ type: 'create', sealed })
    return create(spec)
  }
  app.deps.runs.command = (run_id, given, sealed) => {
    told.push({ type: given.type, sealed })
    return command(run_id, given)
  }
  const body = { model_id: exampleModel().slug, selected_benchmarks: ['mmlu_pro'] }
  const run = Run.parse(await (await app.call('POST', '/api/runs', { headers: bearer(chutesKey), body })).json())
  const send = async (command: string, headers: Record<string, string>) =>
    (await app.call('POST', `/api/runs/${run.id}/${command}`, { headers })).status
  const opened = async (sealed: string | null | undefined) =>
    sealed && (await app.deps.seal.open(sealed, credentialContext(app.record.runs.get(run.id)!.spec)))
  return { ...app, run, told, send, opened }
}

test('[AGENT40] the object gets the sealed key with the run, and again when its owner resumes or retries', async () => {
  const { send, told, opened } = await paidRun()
  expect(await opened(told[0]!.sealed)).toBe(chutesKey)
  expect(await send('pause', bearer(chutesKey))).toBe(200)
  expect(await send('resume', bearer(chutesKey))).toBe(200)
  expect(told.slice(1)).toMatchObject([{ type: 'pause', sealed: null }, { type: 'resume' }])
  expect(await opened(told[2]!.sealed)).toBe(chutesKey)
  await send('retry-failed', bearer(chutesKey))
  expect(await opened(told[3]!.sealed)).toBe(chutesKey)
})

test('[AGENT40] an admin brings no key for a run of somebody else', async () => {
  const { send, told } = await paidRun()
  await send('pause', asAdmin)
  await send('resume', asAdmin)
  await send('retry-failed', asAdmin)
  expect(told.slice(1).map(({ sealed }) => sealed)).toEqual([null, null, null])
})
