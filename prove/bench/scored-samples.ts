import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { GoldenLine, goldenItems } from '#shared/benchmarks/fingerprint.ts'
import type { Task } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import { itemsOf, openLists } from '#shared/benchmarks/testing/open-lists.ts'
import type { TableName } from '#shared/contract/card.ts'
import type { Evidence } from '#shared/contract/evidence/evidence.ts'
import type { Item } from '#shared/contract/item.ts'
import type { Tables } from '#shared/scorers/tables.ts'
import { completionEvidence } from '#shared/solvers/generate.ts'
import { recordedReplies, recordedRows } from '../parity/recorded-data.ts'

/** A scorer with items and answers to score; `score` scores all of them once. */
export type ScoredSample = {
  title: string
  benchmark: string
  items: number
  /** Mean length of the scored texts. */
  chars: number
  tables: readonly TableName[]
  /** Whether the target holds for it: language detection is exempt. */
  counts: boolean
  score(): void
}

type Case = { item: Item; evidence: Evidence; profile: string }

const folder = join(import.meta.dirname, '../../shared/benchmarks')
const readsLanguage = ['language:response_language', 'change_case:english_capital', 'change_case:english_lowercase']

/**
 * Every benchmark with real replies of a model where they lie beside the repository: IFEval and IFBench on their real prompts, the others on
 * our sample; judged benchmarks on the verdicts of their golden file.
 */
export async function scoredSamples(tables: Tables): Promise<ScoredSample[]> {
  const samples: ScoredSample[] = []
  for (const load of Object.values(tasks)) {
    const task = (await load()) as Task
    const cases = await casesOf(task)
    const name = task.card.name
    const detects = ({ item }: Case) => asks(item).some((id) => readsLanguage.includes(String(id)))
    const plain = cases.filter((one) => !detects(one))
    if (plain.length < cases.length) {
      samples.push(sampleOf(task, `${name}, without language detection`, plain, tables, true))
      samples.push(sampleOf(task, `${name}, all`, cases, tables, false))
    } else samples.push(sampleOf(task, name, cases, tables, true))
  }
  return samples
}

const asks = ({ metadata }: Item): readonly unknown[] => (Array.isArray(metadata.instruction_id_list) ? metadata.instruction_id_list : [])

async function casesOf(task: Task): Promise<Case[]> {
  const { card } = task
  const profile = card.profiles.find(({ id }) => id === 'builtin')! // every benchmark has one
  if (card.evidence !== 'completion') {
    const lines = linesOf(card.name, 'golden.jsonl').map((line) => GoldenLine.parse(line))
    const items = await goldenItems(task, lines)
    return items.map((item, index) => ({ item, evidence: lines[index]!.evidence, profile: lines[index]!.profile }))
  }
  const rows = recordedRows(card.name) ?? linesOf(card.name, 'sample.jsonl')
  const opened = await openLists(task, { profile, texts: {}, rows: Object.fromEntries(profile.files.map((role) => [role, rows])) })
  const replies = recordedReplies()
  const items = await itemsOf(opened)
  return items.map((item, index) => {
    const text = replies[index % Math.max(1, replies.length)] ?? task.demo(item, index % 2 === 0)
    return { item, evidence: answered(text), profile: profile.id }
  })
}

function sampleOf(task: Task, title: string, cases: readonly Case[], tables: Tables, counts: boolean): ScoredSample {
  return {
    title,
    benchmark: task.card.name,
    items: cases.length,
    chars: cases.reduce((sum, { evidence }) => sum + evidence.text.length, 0) / cases.length,
    tables: [...new Set(task.card.profiles.flatMap((profile) => profile.tables))],
    counts,
    score() {
      for (const { item, evidence, profile } of cases) task.score(item, evidence as never, profile, tables) // kinds agree by the card
    },
  }
}

function linesOf(name: string, file: string): unknown[] {
  return readFileSync(join(folder, name, file), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

function answered(text: string): Evidence {
  const usage = { input_tokens: 0, output_tokens: 0, cached_tokens: 0, reasoning_tokens: 0 }
  const times = { latency_ms: 0, ttft_ms: null, max_gap_ms: null }
  return completionEvidence({
    ...{ text, reasoning: null, finish_reason: 'stop', usage, usage_known: false, ...times },
    ...{ model_reported: null, system_fingerprint: null },
  })
}
