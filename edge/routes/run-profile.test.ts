import { expect, test } from 'vitest'
import { PlanPreview, Run } from '#shared/contract/api.ts'
import type { Card, Profile, TextPin } from '#shared/contract/card.ts'
import { bearer, giveKey, openApp } from '../testing/call-app.ts'
import { exampleCard, exampleModel } from '../testing/example-records.ts'

const params = { temperature: 0, top_p: null, max_tokens: 100, stop: null, seed: null, reasoning_effort: null }
const text: TextPin = { id: 'intro', repo: 'r', revision: 'x', path: 'p', symbol: 's', sha256: 'a'.repeat(64) }
const profile = (id: string, texts: TextPin[], files: string[]): Profile => ({ id, title: id, texts, files, tables: [], params, epochs: 1 })
const profiles = [profile('official', [text], ['test', 'validation']), profile('zero', [text], ['test']), profile('builtin', [], ['test'])]
const file = (role: string) => ({ role, path: `${role}.parquet`, sha256: null, rows: 10 })
const data = { ...exampleCard({ name: 'mmlu_pro' }).data, files: [file('test'), file('validation')] }

/** An app with one benchmark whose default profile wants a file that neither the sample nor an override has. */
async function appWith(card: Partial<Card> = {}) {
  const app = openApp({ cards: [exampleCard({ name: 'mmlu_pro', data, profiles, ...card })] })
  const all = app.deps.dataFor
  app.deps.dataFor = (benchmark, choice, provider) => {
    const found = all(benchmark, choice === 'override' ? 'pinned' : choice, provider)
    if (choice === 'override') return found && { ...found, source: 'override', files: [file('test')] }
    return found?.source === 'sample' ? { ...found, files: [file('test')] } : found
  }
  const model = exampleModel()
  app.record.models.set(model.id, model)
  const headers = bearer(await giveKey(app, 'anna'))
  const send = (path: string, body: object) =>
    app.call('POST', path, {
      headers,
      body: { model_id: model.id, ...('selected_benchmarks' in body ? {} : { suite: 'default' }), ...body },
    })
  const started = async (body: object) => Run.parse(await (await send('/api/runs', body)).json()).spec.benchmarks[0]!.profile
  const notes = async (body: object) => PlanPreview.parse(await (await send('/api/runs/plan', body)).json()).notes.join('\n')
  return { ...app, send, started, notes }
}

test('[API60] without a name the default profile is taken where its files are, else the first without official texts', async () => {
  const { started, notes } = await appWith()
  expect(await started({})).toBe('official')
  expect(await started({ data: 'sample' })).toBe('builtin')
  expect(await started({ data: 'override' })).toBe('builtin')
  expect(await notes({})).not.toContain('profile')
  expect(await notes({ data: 'sample' })).toContain('In profile builtin instead of official, as the sample needs no network: mmlu_pro.')
  expect(await notes({ data: 'override' })).toContain('lack files of that profile')
  expect(await notes({ data: 'sample', profile: 'builtin' })).not.toContain('instead of')
})

test('[API60] the sample never needs a network: a default with official texts gives way though its files are there', async () => {
  const { started } = await appWith({ default_profile: 'zero' })
  expect([await started({}), await started({ data: 'sample' }), await started({ data: 'override' })]).toEqual(['zero', 'builtin', 'zero'])
})

test('[API61] a named profile whose files the data do not have is 422, names what is missing and what works, and starts nothing', async () => {
  const { send, record } = await appWith()
  for (const path of ['/api/runs', '/api/runs/plan']) {
    const response = await send(path, { data: 'sample', profile: 'official' })
    expect(response.status).toBe(422)
    const { detail, errors } = (await response.json()) as { detail: string; errors: unknown[] }
    expect(detail).toContain('needs the file validation, which its sample data do not have. Profiles that work on it: zero, builtin.')
    expect(errors).toMatchObject([{ pointer: '/profile' }])
  }
  expect(record.runs.size).toBe(0)
  expect((await send('/api/runs', { data: 'sample', profile: 'zero' })).status).toBe(201)
})
