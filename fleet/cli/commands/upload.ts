import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod'
import { BadCatalogue } from '#fleet/catalogue/pack-catalogue.ts'
import { readTaskFolders } from '#fleet/catalogue/pack-terminal-tasks.ts'
import { mostEpisodes, TaskExecuted, UploadedTask } from '#shared/contract/task-upload.ts'
import { taskAgents } from '#shared/episode/task-agents.ts'
import { writeTaskZip } from '#shared/harbor/write-task-zip.ts'
import { type Client, createClient } from '../client.ts'
import { defineCommand, integer } from '../command.ts'
import { CommandError, exitCodes } from '../io.ts'
import { clean } from '../terminal.ts'

/** An archive as it is sent. */
type Archive = { filename: string; zip: Blob }

export const upload = defineCommand({
  name: 'upload',
  summary:
    'Uploads tasks in Harbor’s format to the service: each PATH is a ZIP of one task’s folder, such a folder, or a folder of them (a checkout with tasks/ too).\n' +
    'One that is refused is told with its entries, and the others go on; then the exit code is 1. With --execute each begins at once.',
  arguments: ['PATH...'],
  options: {
    agent: { help: 'who works at their terminals (terminus-2)', value: 'NAME', choices: taskAgents.map(({ id }) => id) },
    model: { help: 'the model that is asked; oracle and nop need none', value: 'MODEL', short: 'm' },
    provider: { help: 'the provider of the model', value: 'ID' },
    epochs: { help: `episodes of an execution (10, at most ${mostEpisodes})`, value: 'N', short: 'k' },
    execute: { help: 'start a run of each, as bench watch follows it' },
  },
  values: z.object({
    agent: z.string().optional(),
    model: z.string().optional(),
    provider: z.string().optional(),
    epochs: integer(1, mostEpisodes).optional(),
    execute: z.boolean().default(false),
  }),
  examples: [
    'bench upload my-task.zip other-task/ --agent oracle -k 3 --execute',
    'bench upload terminal-tasks/ --agent terminus-2 -m vendor/model',
  ],
  async run({ values, positionals, json, url }, io) {
    const client = createClient(io, url)
    const { agent, model, provider, epochs } = values
    const fields = Object.entries({ agent, model, provider, num_runs: epochs }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)] as const],
    )
    let refused = 0
    for (const path of positionals)
      for await (const archive of archivesAt(path)) {
        io.progress(`uploading ${clean(archive.filename)}`)
        const done = await send(client, archive, fields, values.execute)
        io.progress('')
        if ('problem' in done) refused++
        io.out(json ? jsonLine(archive, done) : clean(lineOf(archive, done)))
      }
    return refused > 0 ? exitCodes.error : exitCodes.ok
  },
})

/** The tasks of a path, packed one after the other. */
async function* archivesAt(path: string): AsyncGenerator<Archive> {
  const found = await stat(path).catch((cause: unknown) => {
    throw new CommandError(`There is no ${path}.`, 'failed', null, { cause })
  })
  if (!found.isDirectory()) {
    yield { filename: basename(path), zip: new Blob([await readFile(path)]) }
    return
  }
  const folders = await readTaskFolders(path).catch((cause: unknown) => {
    throw cause instanceof BadCatalogue ? new CommandError(cause.message, 'failed', null, { cause }) : cause
  })
  if (folders.length === 0) throw new CommandError(`${path} holds no task: a task is a folder with a task.toml.`)
  for (const { name, files } of folders) {
    const pieces: Uint8Array<ArrayBuffer>[] = []
    for await (const piece of writeTaskZip(files.map((file) => ({ ...file, path: `${name}/${file.path}` })))) pieces.push(piece)
    yield { filename: `${name}.zip`, zip: new Blob(pieces) }
  }
}

type Sent = { task: UploadedTask; executed: TaskExecuted | null } | { problem: CommandError }

/** What is wrong with an archive or its execution is told of it; what concerns the service ends the command. */
async function send(
  client: Client,
  { filename, zip }: Archive,
  fields: readonly (readonly [string, string])[],
  execute: boolean,
): Promise<Sent> {
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value)
  form.set('file', zip, filename)
  try {
    const task = await client.postForm('/api/tasks', form, UploadedTask)
    const executed = execute ? await client.post(`/api/tasks/${task.id}/execute-async`, undefined, TaskExecuted) : null
    return { task, executed }
  } catch (error) {
    if (error instanceof CommandError && (error.status === 422 || error.status === 413)) return { problem: error }
    throw error
  }
}

const jsonLine = ({ filename }: Archive, done: Sent): string =>
  JSON.stringify(
    'problem' in done
      ? { type: 'refused', file: filename, code: done.problem.code, message: done.problem.message }
      : { type: 'uploaded', file: filename, task: done.task, executed: done.executed },
  )

function lineOf({ filename }: Archive, done: Sent): string {
  if ('problem' in done) return `refused   ${filename}  ${done.problem.message.replaceAll('\n', ' ')}`
  const { task, executed } = done
  const uploaded = `uploaded  ${task.id}  ${task.name}${executed ? `  run ${executed.run_id}, ${executed.message}` : ''}`
  return [uploaded, ...(task.warnings ?? []).map((one) => `warning   ${one.replaceAll('\n', ' ')}`)].join('\n')
}
