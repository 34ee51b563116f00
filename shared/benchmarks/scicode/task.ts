import type { Failure, Outcome } from '../../contract/failure.ts'
import type { Item } from '../../contract/item.ts'
import { itemHash } from '../item-hash.ts'
import { eachRecord, type Records, recordsOf, textOf } from '../parse-rows.ts'
import { BadRecord, type Task } from '../task.ts'
import { card } from './card.ts'
import { type GivenReading, givenCode, givenSteps } from './given-code.ts'
import type { Problem, Step } from './problem.ts'
import { ScicodeRecord, StepTargets, unreadIn } from './record.ts'
import { scoreSteps } from './score-steps.ts'
import { type HiddenSteps, solveProblem } from './solver.ts'
import { ownTemplate, stepPrompt } from './step-prompt.ts'
import { targetsFile } from './targets-file.ts'

type Texts = Record<string, string>
type SubStep = ScicodeRecord['sub_steps'][number]

/** What a profile does its own way; `text`: its official template. Ours has none, so that it needs no network. */
const ways: Record<string, { text: string | null; background: boolean; given: GivenReading; limit_ms: number }> = {
  official: { text: 'no_background', background: false, given: 'official-extract', limit_ms: 1_800_000 },
  aa: { text: 'with_background', background: true, given: 'verbatim', limit_ms: 300_000 },
  builtin: { text: null, background: true, given: 'verbatim', limit_ms: 300_000 },
}

function templateOf(profile: string, texts: Texts): string {
  const { text } = ways[profile]!
  return text === null ? ownTemplate : textOf(texts, text)
}

function toStep(step: SubStep, profile: string, texts: Texts): Step {
  const { background, given: reading } = ways[profile]!
  const own = step.given_code && (reading === 'verbatim' ? step.given_code.verbatim : step.given_code.official_extract)
  return {
    number: step.step_number,
    description: step.step_description_prompt,
    background: background ? step.step_background : null,
    header: step.function_header,
    return_line: step.return_line,
    given: own ?? givenCode(step.step_number, texts, reading),
    tested: !own && !Object.hasOwn(givenSteps, step.step_number),
    cases: step.test_cases.length,
  }
}

function toItem(record: ScicodeRecord, index: number, profile: string, texts: Texts): Item {
  const steps = record.sub_steps.map((step) => toStep(step, profile, texts))
  const problem: Problem = {
    question: steps[0]!.description,
    problem: record.problem_description_main ?? record.problem_name,
    dependencies: record.required_dependencies,
    steps,
  }
  const first = Math.max(
    0,
    steps.findIndex(({ given }) => given === null),
  )
  const given = steps.slice(0, first).map((step) => step.given ?? '')
  const messages = [{ role: 'user' as const, content: stepPrompt(templateOf(profile, texts), problem, given, first) }]
  const codes = record.sub_steps.map((step) => step.ground_truth_code ?? null)
  return {
    item_id: String(index),
    source_id: record.problem_id,
    item_hash: itemHash(messages),
    group: null,
    messages,
    target: codes.includes(null) ? 'Every step passes its tests; no code is published.' : codes.join('\n\n'),
    metadata: problem,
  }
}

function hiddenSteps(record: ScicodeRecord, index: number, rows: ReadonlyMap<string, number>, targets: Records<StepTargets>): HiddenSteps {
  const read = async (step: string): Promise<Uint8Array> => {
    const row = rows.get(step)
    if (row === undefined) throw new BadRecord('test', index, `the targets have no step ${step}`)
    const found = await targets.read(row)
    const unread = unreadIn(found.root, step)
    if (unread !== null) throw new BadRecord('targets', row, unread)
    return targetsFile(found)
  }
  return {
    cases: (step) => record.sub_steps.find(({ step_number }) => step_number === step)?.test_cases ?? [],
    targets: (step) => read(step).then((value): Outcome<Uint8Array> => ({ ok: true, value }), notRead),
  }
}

function notRead(error: unknown): { ok: false; failure: Failure } {
  const bad = error instanceof BadRecord
  const detail = error instanceof Error ? error.message : String(error)
  return { ok: false, failure: { at: 'dataset', reason: bad ? 'bad-record' : 'unavailable', retryable: !bad, status: null, detail } }
}

const task: Task<'tests'> = {
  card,
  key: 'problem_id',
  async survey({ rows }) {
    const named: [string, number][] = []
    await eachRecord(recordsOf(rows, 'test', ScicodeRecord))
    await eachRecord(recordsOf(rows, 'targets', StepTargets), ({ name }, row) => named.push([name, row]))
    return { items: null, named }
  },
  open({ profile, texts, rows, survey }) {
    const records = recordsOf(rows, 'test', ScicodeRecord)
    const targets = recordsOf(rows, 'targets', StepTargets)
    const rowOf = new Map(survey.named)
    return {
      count: records.count,
      item: async (index) => toItem(await records.read(index), index, profile.id, texts),
      hidden: async (index) => hiddenSteps(await records.read(index), index, rowOf, targets),
    }
  },
  solver(profile, texts) {
    const { cpus, memory_mb, disk_mb } = card.needs.sandbox!
    const sandbox = { image: null, cpus, memory_mb, disk_mb, network: false }
    return solveProblem({ template: templateOf(profile, texts), limit_ms: ways[profile]!.limit_ms, sandbox })
  },
  score: (item, evidence) => scoreSteps(item, evidence),
  /** The whole program at every step: its functions are those of all steps, so each step passes or, when wrong, fails. */
  demo: (item, right) => `\`\`\`python\n${right ? item.target : 'def nothing():\n    return None\n'}\n\`\`\``,
}

export default task
