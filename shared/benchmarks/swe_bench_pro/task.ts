import type { Item } from '../../contract/item.ts'
import { workAtTerminal } from '../../episode/terminus-worker.ts'
import { ownTerminus2 } from '../../terminus/own-texts.ts'
import { itemHash } from '../item-hash.ts'
import { eachRecord, recordsOf } from '../parse-rows.ts'
import { BadRecord, type Task } from '../task.ts'
import { card } from './card.ts'
import { hiddenOf, instanceOf, machineImage } from './instance.ts'
import { SweProRecord } from './record.ts'
import { scoreInstance, verdicts } from './score.ts'
import { missingScript, nameScripts, readScripts, ScriptFile } from './script-files.ts'
import { type PatchSource, solveInstance, type Work } from './solve.ts'
import { instruction, problemStatement } from './statement.ts'

function toItem(record: SweProRecord, index: number): Item {
  const messages = [{ role: 'user' as const, content: instruction(problemStatement(record)) }]
  return {
    item_id: String(index),
    source_id: record.instance_id,
    item_hash: itemHash(messages),
    group: record.repo,
    messages,
    target: verdicts[0],
    metadata: { ...instanceOf(record), problem: record.problem_statement },
  }
}

/** The task, its patches made by `work` where a profile has a model make them. */
export function sweBenchProTask(work: Work): Task<'tests'> {
  const sources: Record<string, PatchSource> = { builtin: { type: 'agent', work }, gold: { type: 'gold' }, empty: { type: 'empty' } }
  return {
    card,
    key: 'instance_id',
    async survey({ rows }) {
      const named = await nameScripts(recordsOf(rows, 'scripts', ScriptFile))
      const known = new Map(named)
      await eachRecord(recordsOf(rows, 'test', SweProRecord), ({ instance_id }, row) => {
        const missing = missingScript(known, instance_id)
        if (missing !== undefined) throw new BadRecord('test', row, `the archive of scripts has no ${missing}`)
      })
      return { items: null, named }
    },
    open({ rows, survey }) {
      const records = recordsOf(rows, 'test', SweProRecord)
      const files = recordsOf(rows, 'scripts', ScriptFile)
      const named = new Map(survey.named)
      return {
        count: records.count,
        item: async (index) => toItem(await records.read(index), index),
        hidden: async (index) => {
          const record = await records.read(index)
          return hiddenOf(record, await readScripts(files, named, record.instance_id))
        },
        images: async (index) => {
          const record = await records.read(index)
          return [machineImage(instanceOf(record), { built_from: record.built_from ?? null })]
        },
        solution: async (index) => (await records.read(index)).patch,
      }
    },
    solver(profile) {
      const { cpus, memory_mb, disk_mb } = card.needs.sandbox!
      return solveInstance(sources[profile]!, { room: { cpus, memory_mb, storage_mb: disk_mb } })
    },
    score: scoreInstance,
    demo: (_item, right, solution) => (right ? (solution ?? '') : ''),
  }
}

/** The model at the terminal of the instance's machine, in our words around the official statement. */
const atTerminal: Work = async (machine, instruction, kit) => {
  const texts = ownTerminus2('json')
  const at = { instruction, machine, kit, until_ms: null, user: null, prefix: '' }
  const done = await workAtTerminal(at, { texts, context_tokens: null, output_tokens: null })
  if (!done.ok) return done
  const { last } = done.value
  const hit = kit.limit()
  const { text = '', reasoning = null, finish_reason = null } = last ?? {}
  return {
    ok: true,
    value: { text, reasoning, finish_reason, scoring_input: null, truncated_reasoning: false, ...(hit && { limit: hit }) },
  }
}

export default sweBenchProTask(atTerminal)
