import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { IfevalRow } from './answers-ifeval.ts'

/** Folder of real public data beside the repository (design 10); may be absent. */
const shared = process.env.BENCH_SHARED ?? join(import.meta.dirname, '../../../shared')

/** Real replies of a model, to be cut and changed; none where the data is absent. */
export function recordedReplies(): string[] {
  const path = join(shared, 'data/mmlu_pro/replies_llama3_1_70b.jsonl.gz')
  if (!existsSync(path)) return []
  const lines = gunzipSync(readFileSync(path)).toString('utf8').split('\n').filter(Boolean)
  return lines.slice(0, 3000).map((line) => String(JSON.parse(line).reply))
}

const files: Record<string, string> = { ifeval: 'ifeval/input_data.jsonl', ifbench: 'ifbench/IFBench_test.jsonl' }

/** Real rows of a benchmark where they lie beside the repository as JSON lines. */
export function recordedRows(benchmark: string): unknown[] | undefined {
  const path = join(shared, 'data', files[benchmark] ?? '')
  if (!files[benchmark] || !existsSync(path)) return undefined
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** Rows of IFEval: the real ones, or those of our sample where the data is absent. */
export function ifevalRows(): IfevalRow[] {
  const real = join(shared, 'data/ifeval/input_data.jsonl')
  const path = existsSync(real) ? real : join(import.meta.dirname, '../../shared/benchmarks/ifeval/sample.jsonl')
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

/** The sentence at the end of the prompts of `repeat:repeat_simple`, `length` characters long; null where the data is absent. */
export function fixedSentence(length: number): string | null {
  const path = join(shared, 'data/ifbench/IFBench_test.jsonl')
  if (!existsSync(path)) return null
  const line = readFileSync(path, 'utf8')
    .split('\n')
    .find((row) => row.includes('"repeat:repeat_simple"'))
  return line === undefined ? null : String(JSON.parse(line).prompt).trimEnd().slice(-length)
}

/** tau2-bench's telecom tasks of the split `base`, where they lie beside the repository. */
export function tau2TaskFile(): string | undefined {
  const path = join(shared, 'golden/tau2/base114_tasks.json')
  return existsSync(path) ? path : undefined
}
