import type { Card, Profile } from '../contract/card.ts'
import type { EvidenceKind, EvidenceOf } from '../contract/evidence/evidence.ts'
import type { Item, ItemFacts, Score } from '../contract/item.ts'
import type { Message } from '../contract/message.ts'
import type { Tables } from '../scorers/tables.ts'
import type { Solver } from '../solvers/kit.ts'
import type { MachineImage } from '../solvers/machine.ts'
import type { DataRows } from './rows.ts'
import type { Survey } from './survey.ts'

/** What items are rendered from. `texts` holds the profile's official texts by pin id, already checked against their hashes. */
export type TaskContext = { profile: Profile; texts: Record<string, string>; rows: DataRows }

/** Items by index, each read and rendered for one epoch when it is asked for. */
export type OpenedTask = {
  count: number
  item(index: number, epoch: number): Promise<Item>
  /** What only the solver may see of an item, as `Kit.hidden` gives it. Rejects with `BadRecord` like `item`. */
  hidden?(index: number): Promise<unknown>
  /** What machines of an item start from, for who makes them ready before its trial. Rejects with `BadRecord` like `item`. */
  images?(index: number): Promise<readonly MachineImage[]>
  /** A right answer to an item, where only the data set knows one: `Task.demo` is given it. */
  solution?(index: number): Promise<string>
}

/** The executable definition of a benchmark. */
export type Task<K extends EvidenceKind = EvidenceKind> = {
  card: Card & { evidence: K }
  /** Columns that are read of the files of a role; all of them where it is not named. */
  columns?: Readonly<Record<string, readonly string[]>>
  /** The column of the role `test` that names an item, where the survey reads each of its rows once: an operator's own rows may not name one twice. */
  key?: string
  /** Parses every row once, holding none. Rejects with `BadRecord` for the first that does not fit. It may run on another thread than `open`. */
  survey(context: Pick<TaskContext, 'profile' | 'rows'>): Promise<Survey>
  /** The items of rows that were surveyed. */
  open(context: TaskContext & { survey: Survey }): OpenedTask | Promise<OpenedTask>
  /** `texts` are those `open` is given: a judge's prompt may be among them. */
  solver(profile: string, texts: Record<string, string>): Solver<K>
  /** See `Scorer`. A method, so that tasks of every kind go on one list: whoever calls it hands over evidence of the card's kind. */
  score(item: ItemFacts, evidence: EvidenceOf<K>, profile: string, tables: Tables): Score
  /** What a model would answer to the item, right or wrong, in a form that every profile reads; the local demo model says it. `solution` is `OpenedTask.solution`'s. */
  demo(item: Item, right: boolean, solution?: string): string
  /** What a judge would reply to such an answer; the local demo model says it. Only for tasks with a judge. */
  demoVerdict?(item: Item, right: boolean): string
  /**
   * The calls of tools that a right answer to an item begins with, none where it needs none; the local demo model makes them, those of tools it is offered. A
   * demo of such a task says its answer and not a word more. Only for tasks whose items offer tools.
   */
  demoCalls?(item: Item, solution?: string): DemoTurn['calls']
  /**
   * What the agent or the user of a dialogue says next to what it was sent, as the local demo model plays both of them; undefined where the messages are of
   * another item. Only for dialogues.
   */
  demoTurn?(item: Item, right: boolean, messages: readonly Pick<Message, 'role' | 'content'>[]): DemoTurn | undefined
}

/** A message of a demo: words, or calls of tools with their arguments as JSON text. */
export type DemoTurn = { text: string; calls: readonly { name: string; arguments: string }[] }

/** A data-set row that does not have the shape its benchmark needs. */
export class BadRecord extends Error {
  readonly role: string
  readonly row: number
  constructor(role: string, row: number, message: string, options?: { cause?: unknown }) {
    super(`${role} row ${row}: ${message}`, options)
    this.role = role
    this.row = row
  }
}

/** Rows that are well-formed and not those that the benchmark names: another release, or a list with something missing or added. */
export class OtherRows extends Error {}

/** Surveys and opens a task: for rows that are read through in no time. */
export async function openTask(task: Pick<Task, 'survey' | 'open'>, context: TaskContext): Promise<OpenedTask> {
  return task.open({ ...context, survey: await task.survey(context) })
}
