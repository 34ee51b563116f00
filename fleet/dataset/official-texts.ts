import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { TextPin } from '#shared/contract/card.ts'
import { strip } from '#shared/python/text.ts'
import type { DatasetEnv } from './dataset-env.ts'
import { type DatasetError, datasetError } from './dataset-error.ts'
import { DownloadError } from './download.ts'
import { openPinnedFile } from './pinned-file.ts'
import { pathBelow } from './place.ts'
import { readPythonStrings } from './python-strings.ts'
import { pythonDedent } from './python-text.ts'
import { readYamlStrings } from './yaml-strings.ts'

const MAX_BYTES = 64 * 2 ** 20

/** A file of official texts: pins of one repository, revision and path share it. */
export type TextSource = Pick<TextPin, 'repo' | 'revision' | 'path'>

/**
 * The texts of `pins`, all of which lie in `source`, by pin id. The file comes from BENCH_DATA_DIR, the cache (`<cacheDir>/texts/…`) or
 * `{GITHUB_RAW_ENDPOINT}/<repo>/<revision>/<path>`; each text is the one whose SHA-256 (UTF-8) is pinned. Throws `dataset/text-unavailable`.
 */
export async function openOfficialTexts(source: TextSource, pins: readonly TextPin[], env: DatasetEnv): Promise<Record<string, string>> {
  const cachePath = pathBelow(env.cacheDir, 'texts', source.repo, source.revision, source.path)
  if (cachePath === undefined) throw unavailable(pins, `"${source.repo}/${source.path}" is no path inside a repository`)
  const url = [
    env.githubRawEndpoint,
    ...[source.repo, source.revision, source.path].map((part) => part.split('/').map(encodeURIComponent).join('/')),
  ]
  const localPath = env.dataDir === null ? null : (pathBelow(env.dataDir, source.repo, source.path) ?? null)
  let file: { path: string }
  try {
    file = await openPinnedFile({ url: url.join('/'), token: null, localPath, cachePath, sha256: null, maxBytes: MAX_BYTES }, env)
  } catch (error) {
    throw error instanceof DownloadError ? unreachable(pins, error) : error
  }
  const texts = findTexts(await readFile(file.path, 'utf8'), source.path, pins)
  const missing = pins.filter((pin) => texts[pin.id] === undefined)
  if (missing.length === 0) return texts
  if (file.path === cachePath) await rm(cachePath, { force: true })
  throw unavailable(missing, `no text in ${file.path === cachePath ? url.join('/') : file.path} has the pinned SHA-256`)
}

/** Texts of a file by the ids of the pins whose hash they have; pins that are not found are absent. */
export function findTexts(content: string, path: string, pins: readonly TextPin[]): Record<string, string> {
  const wanted = new Map<string, string[]>()
  for (const pin of pins) wanted.set(pin.sha256, [...(wanted.get(pin.sha256) ?? []), pin.id])
  const found: Record<string, string> = {}
  for (const text of new Set(candidatesOf(content, path))) {
    const hash = createHash('sha256').update(text, 'utf8').digest('hex')
    for (const id of wanted.get(hash) ?? []) found[id] = text
    wanted.delete(hash)
    if (wanted.size === 0) break
  }
  return found
}

function* candidatesOf(content: string, path: string): Generator<string> {
  for (const text of textsIn(content, path)) {
    const dedented = pythonDedent(text)
    yield text
    yield strip(text)
    yield dedented
    yield strip(dedented)
  }
}

function textsIn(content: string, path: string): string[] {
  const kind = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  if (kind === 'py') {
    const { constants, sums, templates, literals } = readPythonStrings(content)
    return [...constants, ...sums, ...templates, ...literals, content]
  }
  if (kind === 'yaml' || kind === 'yml') return readYamlStrings(content)
  const lines = content.replace(/\r\n?/g, '\n')
  const blocks = kind === 'md' ? [...lines.matchAll(/^(```+)[^\n`]*\n([\s\S]*?)\n\1[ \t]*$/gm)].map((match) => match[2] ?? '') : []
  return [content, lines, lines.replace(/\n$/, ''), ...blocks, ...lines.split('\n')]
}

function unreachable(pins: readonly TextPin[], error: DownloadError): DatasetError {
  const { status } = error
  const passing = status === null || status === 408 || status === 429 || status >= 500
  return unavailable(pins, `the file could not be fetched (${error.message})`, { retryable: passing, status, cause: error })
}

function unavailable(
  pins: readonly TextPin[],
  why: string,
  more: { retryable?: boolean; status?: number | null; cause?: unknown } = {},
): DatasetError {
  const [first] = pins
  const names = pins.map((pin) => `${pin.symbol} (${pin.id})`).join(', ')
  return datasetError(
    'text-unavailable',
    `The official text ${names} of ${first?.path} in ${first?.repo} at ${first?.revision} is not available: ${why}. Point GITHUB_RAW_ENDPOINT to a reachable mirror, or choose the profile "builtin", which uses our own wording.`,
    more,
  )
}
