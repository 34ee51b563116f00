import { createSignal } from 'solid-js'
import { taskZipLimits } from '#shared/harbor/zip-problem.ts'
import type { Answer, ApiProblem } from '../api.ts'
import { bytesText } from '../ui/format.ts'
import type { UploadWatch } from './upload-file.ts'

/** What became of an archive so far. `sent`: all of it has left, and the server reads it. */
export type UploadState<Stored> =
  | { kind: 'waiting' }
  | { kind: 'sending'; share: number }
  | { kind: 'sent' }
  | { kind: 'stored'; stored: Stored }
  | { kind: 'refused'; problem: ApiProblem }

/** One archive on its way. `size` in bytes. */
export type Upload<Stored> = { id: number; name: string; size: number; state: UploadState<Stored> }

type Send<Stored> = (file: File, watch: UploadWatch) => Promise<Answer<Stored>>

const mostAtOnce = 2

/** Whether something is still to be done for it. */
export const isUnderWay = ({ state }: Upload<unknown>): boolean =>
  state.kind === 'waiting' || state.kind === 'sending' || state.kind === 'sent'

/** What an archive is of, in the words of its refusal. `less`: what makes one smaller. */
export type ArchiveWords = { title: string; folder: string; less: string }
const ofTask: ArchiveWords = {
  title: 'This is no archive of a task',
  folder: 'the folder of the task',
  less: 'leave out what the task can fetch by itself',
}

/** Why a file is not even sent; what else may be wrong with it only the server can say. */
export function refusedAtOnce({ name, size }: Pick<File, 'name' | 'size'>, words: ArchiveWords = ofTask): ApiProblem | undefined {
  const { title, folder, less } = words
  const refused = (detail: string): ApiProblem => ({ code: 'not-sent', status: 422, title, detail, errors: [], request_id: null })
  if (size === 0) return refused('It is empty, or a folder: pack the folder as a ZIP and drop that.')
  if (!/\.zip$/i.test(name)) return refused(`Its name does not end in .zip: pack ${folder} as a ZIP.`)
  const most = taskZipLimits.packed_bytes
  if (size > most) return refused(`It has ${bytesText(size)}, and ${bytesText(most)} is the most: ${less}.`)
  return undefined
}

/** What a refusal says in general: its detail up to where the first of its faults begins, which are listed one by one. */
export function withoutFaults({ title, detail, errors }: Pick<ApiProblem, 'title' | 'detail' | 'errors'>): string {
  const at = errors[0] ? detail.indexOf(errors[0].message) : -1
  return at < 0 ? detail : detail.slice(0, at).trim() || title
}

/**
 * Files that are sent one after the other, two at a time; each has its own outcome, and a refused one holds up no other. Uploads go on where the
 * page is left for another of ours. `stored` hears of each that arrived.
 */
export function createUploads<Stored>(send: Send<Stored>, stored: (one: Stored) => void, words: ArchiveWords = ofTask) {
  const [uploads, setUploads] = createSignal<readonly Upload<Stored>[]>([])
  const files = new Map<number, { file: File; abort: AbortController }>()
  let last = 0

  const put = (id: number, state: UploadState<Stored>) =>
    setUploads(uploads().map((one) => (one.id === id && isUnderWay(one) ? { ...one, state } : one)))
  const start = async ({ id }: Upload<Stored>) => {
    const { file, abort } = files.get(id)!
    put(id, { kind: 'sending', share: 0 })
    const progress = (share: number) => put(id, share < 1 ? { kind: 'sending', share } : { kind: 'sent' })
    const answer = await send(file, { progress, signal: abort.signal })
    files.delete(id)
    put(id, answer.ok ? { kind: 'stored', stored: answer.value } : { kind: 'refused', problem: answer.problem })
    if (answer.ok) stored(answer.value)
    pump()
  }
  const pump = () => {
    const moving = uploads().filter(({ state }) => state.kind === 'sending' || state.kind === 'sent').length
    const next = uploads().filter(({ state }) => state.kind === 'waiting')
    for (const one of next.slice(0, Math.max(0, mostAtOnce - moving))) void start(one)
  }
  return {
    uploads,
    add(dropped: Iterable<File>) {
      const added = [...dropped].map((file): Upload<Stored> => {
        const id = ++last
        const problem = refusedAtOnce(file, words)
        if (!problem) files.set(id, { file, abort: new AbortController() })
        return { id, name: file.name, size: file.size, state: problem ? { kind: 'refused', problem } : { kind: 'waiting' } }
      })
      setUploads([...uploads(), ...added])
      pump()
    },
    /** Takes one from the list; what is under way is given up. */
    drop(id: number) {
      setUploads(uploads().filter((one) => one.id !== id))
      files.get(id)?.abort.abort()
      files.delete(id)
      pump()
    },
    /** Takes those from the list that have ended. */
    clear() {
      setUploads(uploads().filter(isUnderWay))
    },
  }
}
export type Uploads<Stored> = ReturnType<typeof createUploads<Stored>>
