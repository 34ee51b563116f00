import type { Context } from 'hono'
import { holdsKey } from '#shared/secrets/redactor.ts'
import type { ArtifactBucket } from '../artifacts/bucket.ts'
import type { Deps } from '../deps.ts'
import { Problem } from '../problem.ts'
import { keyProblem } from '../refuse-keys.ts'
import { type HeldBody, holdBody } from './hold-body.ts'
import { BadForm, boundaryOf, readForm } from './read-form.ts'

/** What a form may have beside its file. */
const formOverhead = 64 * 1024
const mostFieldBytes = 4096

type Needs = Pick<Deps, 'openSha256' | 'newId'> & { artifacts: ArtifactBucket }

/** A form with its one file, and what stood beside it. */
export type TakenForm = { file: HeldBody; filename: string; fields: Record<string, string> }

/** The file that a route wants of a form, with its words for whoever sends another. */
export type WantedFile = { most_bytes: number; too_large: string; missing: string; unnamed: string }

/** Reads the form as it arrives. Throws `unsupported-media-type`, `bad-request`, `validation` and `body-too-large`. */
export async function takeForm(c: Pick<Context, 'req'>, wanted: WantedFile, deps: Needs): Promise<TakenForm> {
  const { body } = c.req.raw
  const boundary = boundaryOf(c.req.header('content-type'))
  if (boundary === undefined || !body) throw new Problem('unsupported-media-type', 'Send the archive as `file` of multipart/form-data.')
  if (Number(c.req.header('content-length') ?? 0) > wanted.most_bytes + formOverhead) throw tooLarge(wanted)
  const fields: Record<string, string> = {}
  let file: Pick<TakenForm, 'file' | 'filename'> | undefined
  try {
    for await (const { name, filename, pieces } of readForm(body, boundary)) {
      if (name !== 'file') fields[name] = await readField(name, pieces)
      else if (file) throw wrongFile('Send each archive in a request of its own: each has its own answer.')
      else {
        const held = await holdBody(pieces, wanted.most_bytes, deps)
        if (!held) throw tooLarge(wanted)
        file = { file: held, filename: plainName(filename ?? '') || wanted.unnamed }
      }
    }
    if (!file) throw wrongFile(wanted.missing)
    return { ...file, fields }
  } catch (error) {
    await file?.file.drop().catch(() => undefined)
    if (error instanceof BadForm) throw new Problem('bad-request', `The body is no form: ${error.message}.`, { cause: error })
    throw error
  }
}

/** The same, or the archive as the body itself. */
export async function takeZip(c: Pick<Context, 'req'>, wanted: WantedFile, deps: Needs): Promise<TakenForm> {
  const { body } = c.req.raw
  if (!/^application\/(?:x-)?zip(?:-compressed)?\s*(?:;|$)/i.test(c.req.header('content-type') ?? '') || !body)
    return takeForm(c, wanted, deps)
  if (Number(c.req.header('content-length') ?? 0) > wanted.most_bytes) throw tooLarge(wanted)
  const held = await holdBody(body, wanted.most_bytes, deps)
  if (!held) throw tooLarge(wanted)
  return { file: held, filename: wanted.unnamed, fields: {} }
}

const tooLarge = ({ too_large }: WantedFile): Problem => new Problem('body-too-large', too_large)
const wrongFile = (message: string): Problem => new Problem('validation', message, { errors: [{ pointer: '/file', message }] })

async function readField(name: string, pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of pieces) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > mostFieldBytes) {
      const message = `may have ${mostFieldBytes} characters`
      throw new Problem('validation', `The field ${name.slice(0, 80)} ${message}.`, {
        errors: [{ pointer: `/${name.slice(0, 80)}`, message }],
      })
    }
  }
  text += decoder.decode()
  if (holdsKey(text) || holdsKey(name)) throw keyProblem(holdsKey(name) ? '' : `/${name.slice(0, 80)}`)
  return text
}

const mostNameChars = 255

/** A file's name as it is shown, and never used as a path; empty where nothing of it can be shown. */
function plainName(filename: string): string {
  const last = filename.split(/[\\/]/).at(-1) ?? ''
  const shown = last.replace(/[\0-\x1f\x7f]/g, '').slice(0, mostNameChars)
  return shown === '' || shown === '.' || shown === '..' ? '' : shown
}
