import { partPassed, partSummary, type TestsEvidence } from '../../contract/evidence/tests.ts'
import type { Item, Score } from '../../contract/item.ts'
import { itemHash } from '../item-hash.ts'
import { eachRecord, recordsOf } from '../parse-rows.ts'
import { answerFlags } from '../reading-score.ts'
import type { Task } from '../task.ts'
import { card } from './card.ts'
import { demoAnswer } from './demo-answer.ts'
import { errata } from './errata.ts'
import { hiddenTests } from './hidden-tests.ts'
import { lcbPrompt } from './prompt.ts'
import { LcbRecord, lcbColumns } from './record.ts'
import { itemRows } from './releases.ts'
import { solveLcb } from './solve.ts'

/** There is no one right program: the target says what makes one right. */
const target = 'all tests passed'

function toItem(record: LcbRecord, index: number, prompt: ReturnType<typeof lcbPrompt>): Item {
  const { question_id, question_title, question_content, platform, contest_id, contest_date, starter_code, difficulty } = record
  const messages = prompt(record)
  return {
    item_id: String(index),
    source_id: question_id,
    item_hash: itemHash(messages),
    group: difficulty,
    messages,
    target,
    metadata: {
      question: question_content,
      title: question_title,
      starter_code,
      platform,
      contest_id,
      contest_date: new Date(contest_date).toISOString().slice(0, 10),
      errata: errata.has(question_id),
    },
  }
}

/** Right where every test passed (reference 1.6, rule 8); a program without tests is never right. */
function scoreTests(item: Pick<Item, 'metadata'>, evidence: TestsEvidence): Score {
  const part = evidence.parts[0]
  const right = part !== undefined && partPassed(part)
  const passed = part?.tests.filter(({ end }) => end === 'passed').length ?? 0
  const summary = part ? partSummary(part) : 'no program was tested'
  const unparsed = !part || part.program === null
  return {
    value: right ? 1 : 0,
    outcome: right ? 'right' : 'wrong',
    answer: right ? target : unparsed ? null : `${passed} of ${part.total} tests passed`,
    explanation: `${unparsed ? 'The answer holds no program: ' : ''}${summary}.`,
    flags: [...(unparsed ? ['unparsed'] : []), ...answerFlags(evidence)],
    detail: {
      passed,
      total: part?.total ?? 0,
      errata: item.metadata.errata === true,
    },
  }
}

const task: Task<'tests'> = {
  card,
  key: 'question_id',
  columns: { test: lcbColumns },
  async survey({ profile, rows }) {
    const problems: { id: string; date: number }[] = []
    await eachRecord(recordsOf(rows, 'test', LcbRecord), ({ question_id, contest_date }) => {
      problems.push({ id: question_id, date: contest_date })
    })
    return { items: itemRows(profile.id, problems), named: [] }
  },
  open({ profile, texts, rows, survey }) {
    const records = recordsOf(rows, 'test', LcbRecord)
    const taken = survey.items ?? []
    const prompt = lcbPrompt(profile.id, texts)
    return {
      count: taken.length,
      item: async (index) => toItem(await records.read(taken[index]!), index, prompt),
      hidden: async (index) => hiddenTests(await records.read(taken[index]!), taken[index]!),
    }
  },
  solver: () => solveLcb,
  score: scoreTests,
  demo: demoAnswer,
}

export default task
