import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { dialogueFacts } from '#shared/tau2/facts.ts'
import { TauTask } from '#shared/tau2/tau-task.ts'
import { readTelecom, type TelecomDomain, type TelecomWorld } from '#shared/tau2/telecom.ts'
import { type Party, WorldBroken } from '#shared/tau2/world.ts'
import { readTasks, type WorldSession, type WorldStep, type WorldTask, worldSessions } from './calls-tau2.ts'
import { type CameOfDialogue, playDialogue, tallyDialogues } from './compare-tau2-dialogues.ts'
import { type PlayedTask, type ScriptedDialogue, scriptedDialogues } from './dialogues-tau2.ts'
import { CannotCompare, createEnvironment } from './python-environment.ts'
import { tau2TaskFile } from './recorded-data.ts'

/** What upstream's lock file has of what its environment imports. */
export const tau2Libraries = ['pydantic==2.12.4', 'docstring-parser==0.17.0', 'addict==2.4.0', 'loguru==0.7.3', 'toml==0.10.2', 'PyYAML', 'deepdiff==8.6.2', 'python-dotenv', 'httpx', 'tenacity'] // biome-ignore format: one list

/** What came of a step, with each data base as Python's JSON where it changed. */
export type CameOfStep = { content?: string; error?: boolean; synced?: boolean | null; done?: boolean; holds?: boolean | null } & {
  [party in Party]?: string
}
export type WorldTally = { calls: number; errors: number; questions: number; disagreements: { session: number; step: number; ours: CameOfStep; theirs: CameOfStep | undefined }[] } // biome-ignore format: one form, one line

/** The domain from a checkout, and its tasks: those of the split `base` where the file of all tasks is there, else the recorded ones. */
export async function openTelecom(source: string): Promise<{ domain: TelecomDomain; tasks: WorldTask[]; played: PlayedTask[] }> {
  const read = (path: string) =>
    readFile(join(source, path), 'utf8').catch(() => {
      throw new CannotCompare(`${path} is missing in ${source}, which should be a checkout of sierra-research/tau2-bench`)
    })
  const data = 'data/tau2/domains/telecom'
  const code = 'src/tau2/domains/telecom'
  const domain = readTelecom({
    db_toml: await read(`${data}/db.toml`),
    user_db_toml: await read(`${data}/user_db.toml`),
    tools_py: await read(`${code}/tools.py`),
    user_tools_py: await read(`${code}/user_tools.py`),
    user_data_model_py: await read(`${code}/user_data_model.py`),
  })
  const all = join(source, data, 'tasks.json')
  const base = new Set((JSON.parse(await read(`${data}/split_tasks.json`)) as { base: string[] }).base)
  const file = existsSync(all) ? all : tau2TaskFile()
  if (file === undefined) throw new CannotCompare(`${data}/tasks.json is missing in ${source}`)
  const text = await readFile(file, 'utf8')
  const official = (JSON.parse(text) as { id: string }[]).filter(({ id }) => base.has(id))
  const played = official.map((task) => ({ task, facts: dialogueFacts(TauTask.parse(task), 1) }))
  return { domain, tasks: readTasks(text).filter(({ id }) => base.has(id)), played }
}

const tried = <T>(work: () => T): T | null => {
  try {
    return work()
  } catch (error) {
    if (error instanceof WorldBroken) return null
    throw error
  }
}

function take(world: TelecomWorld, step: WorldStep): CameOfStep {
  if (step.kind === 'act') return { done: tried(() => [world.prepare([step.action])]) !== null }
  if (step.kind === 'ask') return { holds: tried(() => world.holds(step.assertion)) }
  const answer = world.respond(step.call)
  const synced = step.sync ? tried(() => [world.sync()]) !== null : null
  return { ...answer, synced }
}

/** Plays a session in a world of ours. */
export function playSession(domain: TelecomDomain, session: WorldSession): CameOfStep[] {
  const world = domain.open()
  world.prepare(session.begins)
  const before: { [party in Party]?: string } = {}
  return [undefined, ...session.steps].map((step) => {
    const came = step === undefined ? {} : take(world, step)
    for (const party of ['assistant', 'user'] as const) {
      const now = world.dump(party)
      if (now !== before[party]) came[party] = now
      before[party] = now
    }
    return came
  })
}

const shown = ({ content, error, synced, done, holds, assistant, user }: CameOfStep): string =>
  JSON.stringify([content, error, synced, done, holds, assistant, user])

/** Counts the first difference of every session: what follows it differs for that reason. */
export function tallySessions(ours: readonly CameOfStep[][], theirs: readonly CameOfStep[][]): WorldTally {
  const tally: WorldTally = { calls: 0, errors: 0, questions: 0, disagreements: [] }
  for (const [session, mine] of ours.entries()) {
    const official = theirs[session]
    if (!official) throw new CannotCompare(`there are ${theirs.length} results for ${ours.length} sessions`)
    for (const [step, came] of mine.entries()) {
      if (came.content !== undefined) tally.calls++
      if (came.error) tally.errors++
      if (came.holds !== undefined) tally.questions++
      const beside = official[step]
      if (beside && shown(came) === shown(beside)) continue
      tally.disagreements.push({ session, step, ours: came, theirs: beside })
      break
    }
  }
  return tally
}

/** How many tools are told otherwise than upstream tells them. */
function schemaDifferences(domain: TelecomDomain, official: { [party in Party]: unknown[] }): string[] {
  return (['assistant', 'user'] as const).flatMap((party) => {
    const ours = domain.tools[party].map((tool) => JSON.stringify(tool))
    const theirs = official[party].map((tool) => JSON.stringify(tool))
    const differing = ours.filter((tool, index) => tool !== theirs[index])
    return ours.length === theirs.length ? differing : [...differing, `${party}: ${ours.length} tools beside ${theirs.length}`]
  })
}

function runTau2(python: string, script: string, ...args: string[]): void {
  const env = { ...process.env, PYTHONDONTWRITEBYTECODE: '1', PYTHONHASHSEED: '0' }
  const done = spawnSync(python, ['-W', 'ignore', join(import.meta.dirname, script), ...args], { env, encoding: 'utf8' })
  if (done.status !== 0) throw new CannotCompare(`tau2-bench could not be run: ${done.stderr.trim().split('\n').slice(-3).join(' | ')}`)
}

/** Plays dialogues by tau2-bench's orchestrator and by ours; `run` has the official side read them from a file and write what came to another. */
async function compareDialogues(
  domain: TelecomDomain,
  dialogues: readonly ScriptedDialogue[],
  run: (input: string, output: string) => void,
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-tau2-'))
  try {
    const [input, output] = [join(folder, 'dialogues.jsonl'), join(folder, 'results.jsonl')]
    await writeFile(input, dialogues.map((dialogue) => `${JSON.stringify(dialogue)}\n`).join(''))
    run(input, output)
    const theirs = (await readFile(output, 'utf8'))
      .trim()
      .split('\n')
      .map((line): CameOfDialogue => JSON.parse(line))
    const ours: CameOfDialogue[] = []
    for (const dialogue of dialogues) ours.push(await playDialogue(domain, dialogue))
    const { compared, requests, rewarded, ends, disagreements } = tallyDialogues(ours, theirs)
    const ended = Object.entries(ends).map(([end, count]) => `${end} ${count}`)
    console.log(
      `tau2 telecom: ${compared} scripted dialogues with ${requests} requests, ${rewarded} with a reward of 1; ${ended.join(', ')}; messages, results, data bases, ends and rewards`,
    )
    if (disagreements.length > 0) console.log(`dialogues that differ: ${disagreements.slice(0, 20).join(', ')}`)
    console.log(`disagreements of dialogues: ${disagreements.length}`)
    return disagreements.length
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Plays the same sessions and scripted dialogues in tau2-bench's telecom environment and in ours and returns the number of those that differ, with tools told otherwise. */
export async function compareTau2(source: string | undefined, seed: number, count: number): Promise<number> {
  if (source === undefined) throw new CannotCompare('tau2 needs --source: a checkout of sierra-research/tau2-bench')
  const checkout = resolve(source)
  const { domain, tasks, played } = await openTelecom(checkout)
  const sessions = worldSessions(tasks, seed, count)
  const folder = await mkdtemp(join(tmpdir(), 'bench-parity-tau2-'))
  try {
    const environment = createEnvironment(join(folder, 'venv'), 12)
    const installed = environment.install(...tau2Libraries)
    if (!installed.ok) throw new CannotCompare(`pip could not install what tau2-bench imports: ${installed.detail}`)
    const [input, output] = [join(folder, 'sessions.jsonl'), join(folder, 'results.jsonl')]
    await writeFile(input, sessions.map((session) => `${JSON.stringify(session)}\n`).join(''))
    runTau2(environment.python, 'tau2-oracle.py', checkout, input, output)
    const [schemas, ...results] = (await readFile(output, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const told = schemaDifferences(domain, schemas)
    const tally = tallySessions(
      sessions.map((session) => playSession(domain, session)),
      results,
    )
    console.log(
      `tau2 telecom: ${sessions.length} sessions over ${tasks.length} tasks, seed ${seed}: ${tally.calls} calls of which ${tally.errors} are errors, ${tally.questions} assertions; answers, error flags and both data bases after every step`,
    )
    console.log(`tools: ${domain.tools.assistant.length} and ${domain.tools.user.length}, told otherwise: ${told.length}`)
    for (const { session, step, ours, theirs } of tally.disagreements.slice(0, 5))
      console.log(
        `session ${session} (${sessions[session]!.task}), step ${step}: ${JSON.stringify(sessions[session]!.steps[step - 1])}\n  ours:   ${shown(ours)}\n  theirs: ${theirs && shown(theirs)}`,
      )
    console.log(`disagreements of worlds: ${tally.disagreements.length + told.length}`)
    const dialogues = await compareDialogues(domain, scriptedDialogues(played, seed, Math.ceil(count / 60)), (...files) =>
      runTau2(environment.python, 'tau2-dialogue-oracle.py', checkout, ...files),
    )
    return tally.disagreements.length + told.length + dialogues
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
