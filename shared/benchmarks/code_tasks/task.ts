import type { Item } from '../../contract/item.ts'
import { itemHash } from '../item-hash.ts'
import { eachRecord, recordsOf } from '../parse-rows.ts'
import { everyRow } from '../survey.ts'
import type { Task } from '../task.ts'
import { card, room } from './card.ts'
import { CatalogueTask, hiddenOf, solvedWorkspace } from './catalogue-task.ts'
import { diffAnswer } from './diff-answer.ts'
import { optionsOf } from './profiles.ts'
import { promptOf } from './prompt.ts'
import { scoreTask, verdicts } from './score.ts'
import { solveTask } from './solve.ts'

/** Nothing of the expected values or the reference solution goes into an item: items are shown and recorded. */
function toItem(task: CatalogueTask, index: number, profile: string): Item {
  const messages = [{ role: 'user' as const, content: promptOf(task, optionsOf(profile)) }]
  const { task_id, language, type, difficulty, tags } = task
  return {
    item_id: String(index),
    source_id: task_id,
    item_hash: itemHash(messages),
    group: language,
    messages,
    target: verdicts[0],
    metadata: { task_id, language, type, difficulty, tags },
  }
}

const task: Task<'tests'> = {
  card,
  key: 'task_id',
  async survey({ rows }) {
    await eachRecord(recordsOf(rows, 'test', CatalogueTask))
    return everyRow
  },
  open({ profile, rows }) {
    const records = recordsOf(rows, 'test', CatalogueTask)
    return {
      count: records.count,
      item: async (index) => toItem(await records.read(index), index, profile.id),
      hidden: async (index) => hiddenOf(await records.read(index)),
      solution: async (index) => {
        const one = await records.read(index)
        return diffAnswer(one.workspace, solvedWorkspace(one))
      },
    }
  },
  solver: (profile) => solveTask(profile, room),
  score: scoreTask,
  demo: (_item, right, solution) => (right && solution !== undefined ? solution : diffAnswer({}, { 'NOTES.md': 'Nothing was changed.\n' })),
}

export default task
