import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ArtifactRef } from '#shared/contract/artifact.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec, exampleTrial } from '../example-run.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const ref = (name: string, of = 'a', kind: ArtifactRef['kind'] = 'log'): ArtifactRef => ({
  name,
  kind,
  media_type: 'text/plain',
  bytes: 3_000_000_000,
  sha256: of.repeat(64),
})

async function create() {
  const spec = exampleSpec()
  const head = exampleHead(spec)
  await database.store.createRun(spec, head, null)
  const { run_id } = spec
  const drain = (...trials: ReturnType<typeof exampleTrial>[]) => database.store.drain({ run_id, openings: [], trials, events: [], head })
  const find = (ordinal: number, name: string) => database.store.findArtifact(run_id, ordinal, name)
  const count = async () => {
    const { rows } = await database.db.execute(sql`select count(*)::int as n from artifacts where run_id = ${run_id}::uuid`)
    return rows[0]!.n
  }
  return { run_id, head, drain, find, count }
}

test('[KIT20] what trials left is found by trial and name, and reporting it again changes nothing', async () => {
  const { run_id, drain, find, count } = await create()
  const trials = [
    exampleTrial(0, { artifacts: [ref('out/build log.txt'), ref('transcript.jsonl', 'b', 'transcript')] }),
    exampleTrial(1, { artifacts: [ref('out/build log.txt', 'c')] }),
    exampleTrial(2),
  ]
  expect(await drain(...trials)).toEqual({ written: 3, conflicts: [] })
  expect(await drain(...trials)).toEqual({ written: 0, conflicts: [] })
  expect(await find(0, 'out/build log.txt')).toEqual(ref('out/build log.txt'))
  expect(await find(0, 'transcript.jsonl')).toEqual(ref('transcript.jsonl', 'b', 'transcript'))
  expect((await find(1, 'out/build log.txt'))?.sha256).toBe('c'.repeat(64))
  expect([await find(2, 'out/build log.txt'), await find(0, 'other'), await count()]).toEqual([undefined, undefined, 3])
  const listed = (limit: number) => database.store.listArtifacts(run_id, limit)
  expect(await listed(9)).toEqual(['a', 'b', 'c'].map((of) => ({ sha256: of.repeat(64), bytes: 3_000_000_000 })))
  expect([(await listed(2)).length, await database.store.listArtifacts('no-run', 9)]).toEqual([2, []])
  expect(await database.store.findArtifact('no-run', 0, 'transcript.jsonl')).toBeUndefined()
})

test('[KIT20] a later attempt takes the place of an earlier one with all that it left, and never the other way round', async () => {
  const { drain, find, count } = await create()
  await drain(exampleTrial(0, { artifacts: [ref('a'), ref('b')] }), exampleTrial(1, { artifacts: [ref('a')] }))
  await drain(exampleTrial(0, { attempt: 2, artifacts: [ref('b', 'f'), ref('c')] }))
  expect([await find(0, 'a'), (await find(0, 'b'))?.sha256, (await find(0, 'c'))?.sha256]).toEqual([
    undefined,
    'f'.repeat(64),
    'a'.repeat(64),
  ])
  await drain(exampleTrial(0, { artifacts: [ref('a'), ref('b')] }))
  expect([await find(0, 'a'), (await find(0, 'b'))?.sha256]).toEqual([undefined, 'f'.repeat(64)])
  await drain(exampleTrial(0, { attempt: 3 }))
  expect([await find(0, 'b'), await find(0, 'c'), await count()]).toEqual([undefined, undefined, 1])
})

test('[KIT20] another result under the stored attempt names nothing, and a name that is said twice is kept once', async () => {
  const { drain, find, count } = await create()
  await drain(exampleTrial(0, { artifacts: [ref('a', 'a'), ref('a', 'b')] }))
  expect((await find(0, 'a'))?.sha256).toBe('b'.repeat(64))
  expect(await drain(exampleTrial(0, { answer: 'Z', artifacts: [ref('a', 'c')] }))).toEqual({ written: 0, conflicts: ['mmlu_pro/0:0'] })
  expect([(await find(0, 'a'))?.sha256, await count()]).toEqual(['b'.repeat(64), 1])
})

test('[API165] bytes may go that no trial of an ended run names, and those of a run that the record does not know', async () => {
  const { run_id, head, drain } = await create()
  await drain(exampleTrial(0, { artifacts: [ref('a', 'a')] }))
  const unknown = '00000000-0000-4000-8000-000000000000'
  const objects = [
    { run_id, sha256: 'a'.repeat(64) },
    { run_id, sha256: 'b'.repeat(64) },
    { run_id: unknown, sha256: 'a'.repeat(64) },
  ]
  const { store } = database
  expect(await store.listUnnamedArtifacts(objects)).toEqual([objects[2]])
  await store.drain({ run_id, openings: [], trials: [], events: [], head: { ...head, seq: head.seq + 1, status: 'canceled' } })
  expect(await store.listUnnamedArtifacts(objects)).toEqual([objects[1], objects[2]])
  expect(await store.listUnnamedArtifacts([])).toEqual([])
})
