import { mostToolchain, type TestedPart } from '../../contract/evidence/tests.ts'
import type { Outcome } from '../../contract/failure.ts'
import type { Item } from '../../contract/item.ts'
import { answeredEvidence } from '../../solvers/generate.ts'
import type { Kit, Solver } from '../../solvers/kit.ts'
import type { SandboxSpec } from '../../solvers/sandbox.ts'
import { scoredText } from '../reading-score.ts'
import { type Files, HiddenTask } from './catalogue-task.ts'
import { applyDiff } from './patch/apply-diff.ts'
import { findDiff } from './patch/find-diff.ts'
import { writeDiff } from './patch/write-diff.ts'
import { type Options, optionsOf } from './profiles.ts'
import { type Tested, testWorkspace } from './test-workspace.ts'

const mostText = 20_000

/** What is read of an answer before anything runs: a change that applies, or why there is none. */
type Change = { patch: string | null; leniencies: NonNullable<TestedPart['leniencies']> } & ({ files: Files } | { refused: string })

/**
 * Asks once, applies the diff of the answer in memory, and only then, with the model done, reads what is hidden and opens a sandbox. An answer without a
 * diff that applies needs none: it is wrong.
 */
export function solveTask(profile: string, room: Omit<SandboxSpec, 'image' | 'network'>): Solver<'tests'> {
  return async (item, kit) => {
    const answered = answeredEvidence(await kit.ask('model', { messages: item.messages }))
    if (!answered.ok) return answered
    const hidden = await kit.hidden()
    if (!hidden.ok) return hidden
    const task = HiddenTask.parse(hidden.value)
    const change = readChange(scoredText(answered.value), task.workspace, optionsOf(profile))
    await keepTexts(kit, { 'prompt.txt': promptOf(item), 'response.txt': answered.value.text, 'patch.diff': patchOf(task, change) })
    const part = 'refused' in change ? { ok: true as const, value: refusedPart(task, change) } : await testedPart(task, change, kit, room)
    if (!part.ok) return part
    return { ok: true, value: { ...answered.value, kind: 'tests', parts: [part.value] } }
  }
}

/** The change that an answer asks for, by the options of its run. */
export function readChange(answer: string, workspace: Files, options: Options): Change {
  const found = findDiff(answer)
  if (!found) return { patch: null, leniencies: [], refused: 'The answer holds no block that is fenced as diff.' }
  const patch = found.text
  if (!found.closed && !options.allow_incomplete_diffs)
    return { patch, leniencies: [], refused: 'The block of the diff never ends: the answer may have been cut off.' }
  const taken = found.closed ? [] : (['incomplete-diff'] as const)
  const applied = applyDiff(workspace, patch, { rewrite: options.allow_diff_rewrite_fallback })
  if (!applied.ok) return { patch, leniencies: [...taken], refused: applied.fault }
  return { patch, leniencies: [...taken, ...(applied.rewritten ? (['diff-rewrite'] as const) : [])], files: applied.files }
}

/** What the answer changed in the workspace, as a diff of ours that applies to it; as the answer has it where it was refused or changed nothing. */
function patchOf({ workspace }: HiddenTask, change: Change): string {
  return ('refused' in change ? '' : writeDiff(workspace, change.files)) || (change.patch ?? '')
}

async function testedPart(
  task: HiddenTask,
  change: Extract<Change, { files: Files }>,
  kit: Kit,
  room: Omit<SandboxSpec, 'image' | 'network'>,
): Promise<Outcome<TestedPart>> {
  // Only what is installed asks for a network; the change then runs with it.
  const box = await kit.sandbox({ image: null, ...room, network: task.dependencies !== undefined })
  if (!box.ok) return box
  const done = await testWorkspace(task, change.files, { box: box.value, now: kit.now, progress: kit.progress })
  if (!done.ok) return done
  await keepTexts(kit, { 'stdout.log': done.value.stdout, 'stderr.log': done.value.stderr })
  return { ok: true, value: partOf(task, change, done.value) }
}

function partOf(task: HiddenTask, { patch, leniencies, files }: Extract<Change, { files: Files }>, tested: Tested): TestedPart {
  const { build, total, tests, stdout, stderr, took_ms, toolchain } = tested
  return {
    name: '',
    language: task.language,
    program: changedText(task.workspace, files),
    patch,
    leniencies,
    build: build && { ...build, output: shortened(build.output) },
    total,
    tests,
    output: shortened(`${toolchain}\n${stdout}${stderr}`),
    tested_with: toolchain.slice(0, mostToolchain),
    took_ms,
    memory_mb: null,
  }
}

/** Nothing ran: what stood in the way is told as what prepared the program said. */
function refusedPart(task: HiddenTask, { patch, leniencies, refused }: Extract<Change, { refused: string }>): TestedPart {
  const total = Object.values(task.expected).reduce((sum, cases) => sum + Object.keys(cases).length, 0)
  const build = { ok: false, output: refused }
  return {
    name: '',
    language: task.language,
    program: null,
    patch,
    leniencies,
    build,
    total,
    tests: [],
    output: '',
    took_ms: 0,
    memory_mb: null,
  }
}

/** The files that the change made or altered, as they are after it. */
function changedText(before: Files, after: Files): string {
  const changed = Object.entries(after).filter(([path, text]) => before[path] !== text)
  const [only] = changed
  if (only && changed.length === 1) return only[1]
  return changed.map(([path, text]) => `==> ${path} <==\n${text}`).join('\n')
}

const shortened = (text: string): string =>
  text.length <= mostText
    ? text
    : `${text.slice(0, mostText / 2 - 100)}\n[${text.length - mostText + 200} characters left out]\n${text.slice(-(mostText / 2 - 100))}`

const promptOf = (item: Item): string => item.messages.map(({ content }) => content).join('\n\n')

/** Texts beside the record. One that cannot be kept is told and changes no result. */
async function keepTexts(kit: Kit, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) {
    if (text === '') continue
    const kind = name.endsWith('.log') ? 'log' : 'file'
    const kept = await kit.keep({ name, kind, media_type: 'text/plain; charset=utf-8', body: new TextEncoder().encode(text) })
    if (!kept.ok) kit.transcript.note(`${name} could not be kept: ${kept.failure.detail}`)
  }
}
