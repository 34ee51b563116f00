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

type Known = { task: Pick<Task, 'demo' | 'demoVerdict' | 'demoTurn' | 'demoCalls'>; item: Item; solution?: string | undefined }
type Book = { prompts: Map<string, Known>; questions: (Known & { text: string })[]; dialogues: Known[] }
type DemoMessage = { role: string; content: string; pictures?: readonly string[] }
/** What is known about a prompt, the last of `messages` that a user wrote; undefined where nothing is. */
export type DemoKnowledge = (
  prompt: string,
  messages?: readonly DemoMessage[],
  tools?: readonly string[],
) => DemoAnswers | DemoReply | DemoTalk | undefined
type Messages = Parameters<NonNullable<Task['demoTurn']>>[2]

/**
 * What the demo model knows: the answers to the items of every sample and of built-in data, under every wording that can be rendered without the network. A prompt
 * in another wording is recognised by the question it contains; one that contains an answer of its own besides is a judge's. `names` are the benchmarks that
 * can be asked; names of none are passed over. `tools` are the names of those that a request offers.
 */
export async function demoAnswers(env: DatasetEnv, names: readonly string[] = Object.keys(tasks)): Promise<DemoKnowledge> {
  const book: Book = { prompts: new Map(), questions: [], dialogues: [] }
  const samples = await sampleIdentities(env.benchmarksDir)
  for (const [name, load] of Object.entries(tasks)) {
    if (!names.includes(name)) continue
    const task = await load()
    const data = task.card.data.repo === builtinRepo ? pinnedData(task.card) : samples[name]
    if (data) await learn(task, data, env, book)
  }
  book.questions.sort((a, b) => b.text.length - a.text.length)
  return (prompt, messages = [], tools = []) => {
    const talk = talkAbout(messages as Messages, book) // roles of other names are nobody's
    if (talk) return talk
    const pictures = messages.findLast(({ role }) => role === 'user')?.pictures ?? []
    const asked = book.prompts.get(keyOf(prompt, pictures)) ?? book.prompts.get(prompt)
    if (asked?.task.demoCalls) return callThenSay(asked, messages, tools)
    const known = asked ?? book.questions.find((question) => prompt.includes(question.text))
    return known && sayTo(prompt, known)
  }
}

/** By what a prompt is known: some differ in nothing but the picture that is shown. */
const keyOf = (prompt: string, pictures: readonly string[]): string =>
  pictures.length === 0 ? prompt : JSON.stringify([prompt, ...pictures])

/** Calls of the tools that are offered, made once by who answers rightly, and the answer; the words stand beside the calls too, as some ask for one turn only. */
function callThenSay({ task, item, solution }: Known, messages: readonly DemoMessage[], tools: readonly string[]): DemoTalk {
  const right = demoDraw(item.item_hash, 'right') < demoRightShare
  const called = messages.at(-1)?.role === 'tool'
  const calls = right && !called ? task.demoCalls!(item, solution).filter(({ name }) => tools.includes(name)) : []
  return { turn: { text: task.demo(item, right, solution), calls } }
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
      const asked = item.messages.findLast((message) => message.role === 'user')
      const prompt = asked?.content
      wordings.add(prompt)
      if (prompt === undefined) continue
      const shown = (asked!.pictures ?? []).flatMap(({ data }) => data ?? [])
      for (const key of [prompt, keyOf(prompt, shown)]) if (!book.prompts.has(key)) book.prompts.set(key, { task, item, solution })
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
