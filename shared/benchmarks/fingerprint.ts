import * as z from 'zod'
import { sha256Hex } from '#sha256'
import type { Profile } from '../contract/card.ts'
import { Evidence } from '../contract/evidence/evidence.ts'
import { type Item, Score } from '../contract/item.ts'
import { noTables, TableMissing, type Tables } from '../scorers/tables.ts'
import { listRows } from './rows.ts'
import { openTask, type Task } from './task.ts'

/**
 * One line of a golden file: a data-set record, evidence for it, and the score that a profile has to give. `rows` are what the item needs of other
 * roles, such as documents.
 */
export const GoldenLine = z.object({
  record: z.record(z.string(), z.json()),
  rows: z.record(z.string(), z.array(z.json())).optional(),
  profile: z.string(),
  epoch: z.int().min(0),
  evidence: Evidence,
  score: Score,
})
export type GoldenLine = z.infer<typeof GoldenLine>

/**
 * The item of every golden line. Official texts are stood in for by their ids in brackets: what an item is scored by does not
 * depend on them. A role of which no line has rows gets all records.
 */
export async function goldenItems(task: Task, lines: readonly GoldenLine[]): Promise<Item[]> {
  const records = lines.map((line) => line.record)
  const rowsOf = (role: string) => lines.flatMap((line) => line.rows?.[role] ?? [])
  const roles = task.card.data.files.map(({ role }) => [role, listRows(rowsOf(role).length > 0 ? rowsOf(role) : records)] as const)
  const rows = Object.fromEntries(roles)
  const open = (profile: Profile) =>
    openTask(task, { profile, texts: Object.fromEntries(profile.texts.map((pin) => [pin.id, `[${pin.id}]`])), rows })
  const opened = new Map(await Promise.all(task.card.profiles.map(async (profile) => [profile.id, await open(profile)] as const)))
  const itemOf = (line: GoldenLine, index: number): Promise<Item> => {
    const source = opened.get(line.profile)
    if (!source) throw new Error(`golden line ${index} names the unknown profile "${line.profile}"`)
    return source.item(index, line.epoch)
  }
  return Promise.all(lines.map(itemOf))
}

/**
 * The score that a task gives to evidence, or undefined where it needs a table that is not here and that its profile names. Such lines are
 * checked where the tables are (`fleet/dataset/scored-with-tables.test.ts`).
 */
export function scoreUnlessMissing(
  task: Task,
  item: Item,
  { evidence, profile }: Pick<GoldenLine, 'evidence' | 'profile'>,
  tables: Tables,
): Score | undefined {
  try {
    return task.score(item, evidence, profile, tables)
  } catch (error) {
    const named = task.card.profiles.find((one) => one.id === profile)?.tables ?? []
    if (error instanceof TableMissing && named.includes(error.table)) return undefined
    throw error
  }
}

/**
 * SHA-256 over what the task makes of its golden file: the scores of all lines, and the rendered items of every profile that needs no
 * official text. It changes whenever prompts or scores do, so behaviour cannot change unseen. It does not depend on which tables are here:
 * a line that cannot be scored counts with the score it has to give.
 */
export async function fingerprintOf(task: Task, lines: readonly GoldenLine[], tables: Tables = noTables): Promise<string> {
  const open = new Set(task.card.profiles.filter((profile) => profile.texts.length === 0).map((profile) => profile.id))
  const items = await goldenItems(task, lines)
  const seen = items.map((item, index) => {
    const line = lines[index]!
    const score = scoreUnlessMissing(task, item, line, tables) ?? line.score
    const rendered = open.has(line.profile) ? item.messages.map((message) => [message.role, message.content]) : null
    return [
      rendered,
      item.target,
      score.value,
      score.answer,
      score.explanation,
      score.flags,
      ...(Object.keys(score.detail).length > 0 ? [score.detail] : []),
    ]
  })
  return sha256Hex(JSON.stringify([task.card.name, seen]))
}
