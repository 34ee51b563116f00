import type { StoredTask } from '#db/store.ts'
import { taskFacts } from '#shared/episode/task-facts.ts'
import { loadTaskInSteps } from '#shared/harbor/load-task.ts'
import { surveyTaskZip } from '#shared/harbor/read-task-zip.ts'
import { archiveName } from '#shared/run/upload-data.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { yieldTurn } from '../yield-turn.ts'
import type { HeldBody } from './hold-body.ts'

/** What an archive says of the task in it. */
export type ReadTask = Pick<StoredTask, 'archive_name' | 'checksum' | 'facts'>

/** Most things that are wrong of which each is told. */
const mostTold = 50

/**
 * Reads the task in an archive, of which every byte is unpacked and checked and none is kept but its texts. Throws `validation` that names every entry that is
 * wrong.
 */
export async function readUpload(body: HeldBody, filename: string, deps: Pick<Deps, 'openSha256'>): Promise<ReadTask> {
  const survey = await surveyTaskZip(body, undefined, deps.openSha256)
  if (!survey.ok) throw refused([{ entry: survey.problem.entry, text: survey.problem.text }])
  const archive_name = archiveName(survey.folder, filename)
  const loading = loadTaskInSteps(archive_name, survey.files, survey.hashOf)
  let step = loading.next()
  for (; !step.done; step = loading.next()) await yieldTurn()
  const loaded = step.value
  if (!loaded.ok) throw refused(loaded.problems.map(({ entry, key, text }) => ({ entry: key === null ? entry : `${entry} ${key}`, text })))
  const { task } = loaded
  return { archive_name, checksum: task.checksum, facts: taskFacts(task, survey.files.length, survey.unpacked_bytes) }
}

function refused(wrong: readonly { entry: string | null; text: string }[]): Problem {
  const told = wrong.slice(0, mostTold).map(({ entry, text }) => (entry === null || entry === '' ? text : `${entry}: ${text}`))
  const more = wrong.length > mostTold ? ` (and ${wrong.length - mostTold} more)` : ''
  return new Problem('validation', `The archive holds no task that can be taken: ${told[0]}${more}`, {
    errors: told.map((message) => ({ pointer: '/file', message })),
  })
}
