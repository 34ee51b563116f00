import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { artifactKinds } from '#shared/contract/artifact.ts'
import { CallLimits, defaultLimits } from '#shared/contract/limits.ts'
import { mostLiveText, mostWatched } from '#shared/contract/live.ts'
import { jobZipLimits, taskZipLimits } from '#shared/harbor/zip-problem.ts'
import { readTree } from '../prove/architecture/source-tree.ts'
import { type Claim, falseClaims, inWords } from '../prove/documents/claims.ts'
import { commandsOf, readGuides } from '../prove/documents/collect-commands.ts'
import { type Document, readDocument } from '../prove/documents/read-document.ts'
import { readAccess } from './access-config.ts'
import { badMs, goodMs } from './adapters/chutes-keys.ts'
import { mostEnclosed } from './artifacts/enclose.ts'
import { keptDays } from './fleet/agent-names.ts'
import { allowances } from './limits/strikes.ts'
import { mostViewers } from './run/watched-trials.ts'
import { findPath, judgeCurl } from './testing/judge-curl.ts'

const root = join(import.meta.dirname, '..')
const guides = readGuides(await readTree(root))
const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

async function curlProblems(documents: readonly Document[]): Promise<string[]> {
  const problems: string[] = []
  for (const { path, line, words } of documents.flatMap(commandsOf)) {
    const problem = words[0] === 'curl' ? await judgeCurl(words.slice(1)) : null
    if (problem !== null) problems.push(`${path}:${line} ${words.join(' ')}: ${problem}`)
  }
  return problems
}

/** Addresses that a document names, with their method where it says one. */
async function lostRoutes({ path, spans }: Document): Promise<string[]> {
  const lost: string[] = []
  for (const { text, line } of spans) {
    const [, method, route = ''] = /^(?:(GET|HEAD|POST|PUT|PATCH|DELETE) )?(\/api\/[^\s?*…]+)(?:\?\S*)?$/.exec(text) ?? []
    if (route === '' || notOperations.has(route)) continue
    const there = await findPath(route)
    if (!there || (method !== undefined && !(method.toLowerCase() in there))) lost.push(`${path}:${line} ${text}`)
  }
  return lost
}

/** Addresses that the service answers and its document does not list: the document itself, sockets, and routes that answer 501. */
const notOperations = new Set([
  '/api/openapi.json',
  '/api/docs',
  '/api/auth/login',
  '/api/auth/callback',
  '/api/auth/me',
  '/api/auth/logout',
])

test('[DOC510] method, path, query, form and body of every curl command are those of a route, which takes the body', async () => {
  expect(guides.flatMap(commandsOf).filter(({ words }) => words[0] === 'curl').length).toBeGreaterThan(10)
  expect(await curlProblems(guides)).toEqual([])
})

test('[DOC510] every address of the API that a document names is a route', async () => {
  const lost: string[] = []
  for (const guide of guides.filter(({ path }) => !path.startsWith('fleet/sandbox/sandy/'))) lost.push(...(await lostRoutes(guide)))
  expect(lost).toEqual([])
})

test.each([
  'curl $URL/api/nothing',
  'curl -X PATCH $URL/api/runs',
  'curl "$URL/api/runs?colour=red"',
  `curl -X POST $URL/api/keys -d '{"nam":"me"}'`,
  `curl -X POST $URL/api/runs -d '{"model_id":"m","selected_benchmarks":["mmlu_pro"],"limits":{"total_s":1}}'`,
  'curl -F archive=@a.zip URL/api/tasks',
  'curl http://127.0.0.1:9464/nothing',
  'curl --insecure $URL/api/health',
])('[DOC516] a false request is found: %s', async (command) => {
  expect(await curlProblems([readDocument('README.md', `\`\`\`sh\n${command}\n\`\`\``)])).toHaveLength(1)
})

test('[DOC516] an address that is no route is found', async () => {
  expect(
    await lostRoutes(readDocument('README.md', '`GET /api/runs`, `DELETE /api/runs`, `/api/nothing`, `/api/runs/{id}/nothing`')),
  ).toHaveLength(3)
})

const mebibyte = 2 ** 20
const access = readAccess({})
const { burst, every_ms } = allowances.guess
const bound = (field: 'attempts' | 'total_ms', side: 'minValue' | 'maxValue'): string =>
  CallLimits.shape[field][side]!.toLocaleString('en-US')
const api = 'edge/README.md'

const claims: Claim[] = [
  ...Object.entries(defaultLimits).map(
    ([field, value]): Claim => ({ path: api, says: new RegExp(`\\| .${field}. \\| (\\d+) \\|`), is: [value] }),
  ),
  { path: api, says: /Times are ([\d,]+) to ([\d,]+) ms/, is: [bound('total_ms', 'minValue'), bound('total_ms', 'maxValue')] },
  { path: api, says: /ms, numbers (\d+) to (\d+)\./, is: [bound('attempts', 'minValue'), bound('attempts', 'maxValue')] },
  { path: api, says: /`MAX_TRIALS_PER_RUN` \| (\d+) \|/, is: [access.most_trials_per_run] },
  { path: api, says: /`MAX_OPEN_RUNS_PER_OWNER` \| (\d+) \|/, is: [access.most_open_runs_per_owner] },
  { path: api, says: /`CHUTES_KEY_URL` \| `([^`]+)`/, is: [access.chutes_key_url] },
  { path: api, says: /`CHUTES_ANY_KEY` \| `([^`]+)`/, is: [String(access.any_chutes_key)] },
  { path: api, says: /(\w+) at once, then one in (\w+) seconds/, is: [inWords(burst), inWords(every_ms / 1000)] },
  { path: 'SECURITY.md', says: /(\w+) at once, then one every (\w+) seconds/, is: [inWords(burst), inWords(every_ms / 1000)] },
  { path: api, says: /verdict is kept for (\w+) minutes, a bad one for (\w+)\./, is: [inWords(goodMs / 60_000), inWords(badMs / 60_000)] },
  {
    path: api,
    says: /bounded \((\d+) k characters, (\d+) readers a trial, (\d+) trials a run\)/,
    is: [mostLiveText / 1024, mostViewers, mostWatched],
  },
  {
    path: api,
    says: /One may have (\d+) MiB \(a transcript (\d+), a picture (\d+)\)/,
    is: [artifactKinds.file, artifactKinds.transcript, artifactKinds.picture].map((bytes) => bytes / mebibyte),
  },
  { path: api, says: /encloses up to (\d+) of them of (\d+) GiB together/, is: [mostEnclosed.artifacts, mostEnclosed.bytes / 2 ** 30] },
  {
    path: api,
    says: /An archive may have (\d+) MiB, (\d+) GiB unpacked and ([\d,]+) entries/,
    is: [taskZipLimits.packed_bytes / mebibyte, taskZipLimits.unpacked_bytes / 2 ** 30, taskZipLimits.entries.toLocaleString('en-US')],
  },
  {
    path: api,
    says: /may have (\d+) MiB each and (\d+) MiB together/,
    is: [jobZipLimits.text_bytes / mebibyte, jobZipLimits.all_text_bytes / mebibyte],
  },
  { path: 'README.md', says: /a name unused for (\d+) days is free/, is: [keptDays] },
]

test('[DOC513] bounds and defaults of the API are the same in its documents', () => {
  expect(falseClaims(claims, textOf)).toEqual([])
})
