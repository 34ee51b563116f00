import { readFile, stat } from 'node:fs/promises'
import { basename, extname } from 'node:path'
import { mostReplayChars, ReplayAnswers } from '#shared/contract/replay.ts'
import { Step } from '#shared/contract/transcript.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { type ReadArtifact, readEvidence } from '#shared/run/evidence-apart.ts'
import { CommandError, UsageError } from './io.ts'
import { openLocalRun, type RecordSource } from './rescore-sources.ts'

/** Answers to replay, and the label of where they come from unless another is given. */
export type Given = { answers: ReplayAnswers; label: string }

/** No text within the bound has more bytes than this, however it is escaped. */
const mostBytes = mostReplayChars * 8

/** What `--response-file` and `--response-text` give; null where neither is there. Throws `CommandError` for a file that holds no answers. */
export async function readResponses(file: string | undefined, text: string | undefined): Promise<Given | null> {
  if (file !== undefined && text !== undefined) throw new UsageError('Give --response-file or --response-text, not both.')
  if (text !== undefined) return { answers: checked('--response-text', [{ texts: [text] }]), label: 'replay' }
  if (file === undefined) return null
  return { answers: checked(file, await readAnswers(file)), label: basename(file) }
}

async function readAnswers(path: string): Promise<unknown[]> {
  const found = await stat(path).catch((cause: unknown) => {
    throw refused(path, `cannot be read (${cause instanceof Error && 'code' in cause ? cause.code : cause})`, cause)
  })
  if (found.isDirectory() || extname(path).toLowerCase() === '.zip') return answersOf(await openLocalRun(path))
  if (found.size > mostBytes) throw refused(path, tooLong)
  const text = await readText(path)
  if (text.trim() === '') throw refused(path, 'holds no answers')
  switch (extname(path).toLowerCase()) {
    case '.json': {
      const list = parse(path, text, '')
      if (!Array.isArray(list)) throw refused(path, 'is no JSON array of answers')
      return list.map(spelledOut)
    }
    case '.jsonl':
    case '.ndjson':
      return text.split('\n').flatMap((line, at) => (line.trim() === '' ? [] : [spelledOut(parse(path, line, ` in line ${at + 1}`))]))
    default:
      return [{ texts: [text] }]
  }
}

async function readText(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw refused(path, `cannot be read (${cause instanceof Error && 'code' in cause ? cause.code : cause})`, cause)
  })
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw refused(path, 'is no text in UTF-8', cause)
  }
}

function parse(path: string, text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw refused(path, `is not JSON${where}`, cause)
  }
}

/** An answer with one `text` as one with `texts`. */
function spelledOut(written: unknown): unknown {
  if (typeof written !== 'object' || written === null || !('text' in written) || 'texts' in written) return written
  const { text, ...rest } = written
  return { ...rest, texts: [text] }
}

const tooLong = `is too long: the answers of a replay may have ${mostReplayChars.toLocaleString('en-US')} characters together`

function checked(path: string, given: unknown[]): ReplayAnswers {
  if (given.length === 0) throw refused(path, 'holds no answers')
  const answers = ReplayAnswers.safeParse(given)
  if (answers.success) {
    const twice = answeredTwice(answers.data)
    if (twice === undefined) return answers.data
    throw refused(path, `answers ${twice}; leave one of them out`)
  }
  const { path: place, message } = answers.error.issues[0]!
  const [at, ...field] = place
  if (typeof at !== 'number') throw refused(path, given.length > 20_000 ? 'has more than 20,000 answers' : tooLong)
  throw refused(path, `does not fit: answer ${at + 1}${field.length > 0 ? `, ${field.join('.')}` : ''}: ${message}`)
}

/** The item, and the epoch if one is named, that two answers are for, and which; undefined where each is for another. */
function answeredTwice(answers: ReplayAnswers): string | undefined {
  const seen = new Map<string, number>()
  for (const [at, { benchmark = null, item = null, by = null, epoch = null }] of answers.entries()) {
    if (item === null) continue
    const key = JSON.stringify([benchmark, item, by, epoch])
    const first = seen.get(key)
    if (first !== undefined) return `item ${item}${epoch === null ? '' : ` of epoch ${epoch}`} twice, as answers ${first + 1} and ${at + 1}`
    seen.set(key, at)
  }
  return undefined
}

const refused = (path: string, why: string, cause?: unknown) => new CommandError(`${path} ${why}.`, 'bad-responses', null, { cause })

/** The answers of a former run, each for its item and epoch. */
async function answersOf({ records, artifact }: RecordSource): Promise<unknown[]> {
  const found: { record: TrialRecord; texts: string[] }[] = []
  let chars = 0
  for await (const record of records()) {
    const texts = await textsOf(record, artifact)
    if (texts.length === 0) continue
    chars += texts.reduce((sum, text) => sum + text.length, 0)
    if (chars > mostReplayChars)
      throw new CommandError(`The answers of this run are too many: ${tooLong.slice(tooLong.indexOf('the answers'))}.`, 'bad-responses')
    found.push({ record, texts })
  }
  const keys = new Set(found.map(({ record: { benchmark, source_id, epoch } }) => JSON.stringify([benchmark, source_id, epoch])))
  const byKey = keys.size === found.length // else one key names several items
  return found.map(({ record: { benchmark, item_id, source_id, epoch }, texts }) => {
    const named = byKey && source_id !== null ? { item: source_id, by: 'key' } : { item: item_id, by: 'id' }
    return { benchmark, ...named, epoch, texts }
  })
}

/** What the tested model said in a trial, in turn; nothing where it said nothing that was kept. */
async function textsOf(record: TrialRecord, artifact: ReadArtifact): Promise<string[]> {
  const steps = record.transcript ?? (await stepsOf(record, artifact))
  const said = steps.flatMap((step) => (step.type === 'model_call' && step.role === 'model' && step.reply ? [step.reply.text] : []))
  if (said.length > 0) return said
  const evidence = await readEvidence(record, artifact)
  if (evidence !== 'apart') return evidence ? [evidence.text] : []
  throw new CommandError(`The answer to ${record.benchmark} ${record.item_id} is not kept whole here.`, 'bad-responses')
}

async function stepsOf(record: TrialRecord, artifact: ReadArtifact): Promise<Step[]> {
  const kept = record.artifacts?.find(({ kind }) => kind === 'transcript')
  const bytes = kept && (await artifact(record, kept.sha256))
  const lines = bytes ? new TextDecoder().decode(bytes).split('\n') : []
  return lines.flatMap((line) => (line === '' ? [] : [Step.parse(JSON.parse(line))]))
}
