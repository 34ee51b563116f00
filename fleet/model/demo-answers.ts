import type { DatasetEnv } from '#fleet/dataset/dataset-env.ts'
import { openDataset } from '#fleet/dataset/open-dataset.ts'
import { openTexts } from '#fleet/dataset/open-texts.ts'
import { sampleIdentities } from '#fleet/dataset/sample-identities.ts'
import { type DemoAnswers, type DemoReply, type DemoTalk, demoDraw, demoRightShare } from '#fleet/model/demo-reply.ts'
import type { DataRows } from '#shared/benchmarks/rows.ts'
import { openTask, type Task } from '#shared/benchmarks/task.ts'
import { tasks } from '#shared/benchmarks/tasks.ts'
import { builtinRepo, type Profile } from '#shared/contract/card.ts'
import type { Item } from '#shared/contract/item.ts'
import type { DataIdentity } from '#shared/contract/run.ts'
import { pinnedData } from '#shared/run/data-choice.ts'

/** Repeats whose prompts are known word by word; later ones are recognised by the question they contain. */
const knownEpochs = 16
const shortestQuestion = 20

type Known = { task: Pick<Task, 'demo' | 'demoVerdict' | 'demoTurn'>; item: Item; solution?: string | undefined }
type Book = { prompts: Map<string, Known>; questions: (Known & { text: string })[]; dialogues: Known[] }
type Messages = Parameters<NonNullable<Task['demoTurn']>>[2]

/**
 * What the demo model knows: the answers to the items of every sample and of built-in data, under every wording that can be rendered without the network. A prompt
 * in another wording is recognised by the question it contains; one that contains an answer of its own besides is a judge's. `names` are the benchmarks that
 * can be asked; names of none are passed over.
 */
export async function demoAnswers(
  env: DatasetEnv,
  names: readonly string[] = Object.keys(tasks),
): Promise<(prompt: string, messages?: readonly { role: string; content: string }[]) => DemoAnswers | DemoReply | DemoTalk | undefined> {
  const book: Book = { prompts: new Map(), questions: [], dialogues: [] }
  const samples = await sampleIdentities(env.benchmarksDir)
  for (const [name, load] of Object.entries(tasks)) {
    if (!names.includes(name)) continue
    const task = await load()
    const data = task.card.data.repo === builtinRepo ? pinnedData(task.card) : samples[name]
    if (data) await learn(task, data, env, book)
  }
  book.questions.sort((a, b) => b.text.length - a.text.length)
  return (prompt, messages = []) => {
    const talk = talkAbout(messages as Messages, book) // roles of other names are nobody's
    if (talk) return talk
    const known = book.prompts.get(prompt) ?? book.questions.find((question) => prompt.includes(question.text))
    return known && sayTo(prompt, known)
  }
}

/** What is said next in a dialogue that is known, its agent right or wrong by the same draw as answers are. */
function talkAbout(messages: Messages, { dialogues }: Book): DemoTalk | undefined {
  for (const { task, item } of dialogues) {
    const turn = task.demoTurn?.(item, demoDraw(item.item_hash, 'right') < demoRightShare, messages)
    if (turn) return { turn }
  }
  return undefined
}

/** What the demo model says to a prompt about an item: an answer, or the verdict about the answer of its own that the prompt contains. */
export function sayTo(prompt: string, { task, item, solution }: Known): DemoAnswers | DemoReply {
  const answers = { right: task.demo(item, true, solution), wrong: task.demo(item, false) }
  const judged = prompt.includes(answers.right) ? true : prompt.includes(answers.wrong) ? false : undefined
  return judged === undefined || !task.demoVerdict ? answers : { reply: task.demoVerdict(item, judged) }
}

async function learn(task: Task, data: DataIdentity, env: DatasetEnv, book: Book): Promise<void> {
  for (const profile of task.card.profiles) {
    const opened = await openDataset({ benchmark: task.card.name, identity: data, roles: profile.files, columns: task.columns }, env)
    if (!opened.ok) continue
    try {
      const texts = await openTexts(profile, env)
      if (texts.ok) await render(task, profile, texts.value, opened.value.rows, book)
    } finally {
      await opened.value.close()
    }
  }
}

async function render(task: Task, profile: Profile, texts: Record<string, string>, rows: DataRows, book: Book): Promise<void> {
  const items = await openTask(task, { profile, texts, rows })
  let epochs = knownEpochs
  if (task.demoTurn) {
    for (let index = 0; index < items.count; index += 1) book.dialogues.push({ task, item: await items.item(index, 0) })
    return
  }
  for (let index = 0; index < items.count; index += 1) {
    const solution = await items.solution?.(index)
    const wordings = new Set<string | undefined>()
    for (let epoch = 0; epoch < epochs; epoch += 1) {
      const item = await items.item(index, epoch)
      const prompt = item.messages.findLast((message) => message.role === 'user')?.content
      wordings.add(prompt)
      if (prompt !== undefined && !book.prompts.has(prompt)) book.prompts.set(prompt, { task, item, solution })
    }
    // What words its first item alike every time words them all so.
    if (wordings.size === 1) epochs = 1
    const item = await items.item(index, 0)
    const text = questionOf(item, await rows.test?.read(index))
    if (text.length >= shortestQuestion) book.questions.push({ task, item, solution, text })
  }
}

/** What an item says of its question, else the longest text of its record: where items say nothing, that is the question. */
function questionOf(item: Item, record: unknown): string {
  return typeof item.metadata.question === 'string' ? item.metadata.question : longestText(record)
}

function longestText(record: unknown): string {
  const texts = Object.values(record ?? {}).filter((value): value is string => typeof value === 'string')
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
