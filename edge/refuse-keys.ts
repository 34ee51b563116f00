import { holdsKey } from '#shared/secrets/redactor.ts'
import { Problem } from './problem.ts'

/**
 * Refuses a body in which somebody has pasted a key: whatever is in a body may be kept, shown or sent on, and keys belong in the Authorization
 * header. Text that is no JSON is left to whoever reads it. Throws `validation`, which names the field and does not repeat it.
 */
export function refuseKeys(text: string): void {
  if (!holdsKey(text) && !text.includes('\\u')) return
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return
  }
  const pointer = placeOfKey(body)
  if (pointer !== undefined) throw keyProblem(pointer)
}

/** The refusal of a key that stands where none belongs. */
export function keyProblem(pointer: string): Problem {
  const detail = 'What looks like a key is in the request. Keys go into the Authorization header and nowhere else; nothing was kept.'
  return new Problem('validation', detail, { errors: [{ pointer, message: 'looks like a key' }] })
}

/** JSON pointer to the first text, or the object with the first name, that holds a key. */
function placeOfKey(value: unknown, pointer = ''): string | undefined {
  if (typeof value === 'string') return holdsKey(value) ? pointer : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, inner] of Object.entries(value)) {
    const place = holdsKey(name) ? pointer : placeOfKey(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    if (place !== undefined) return place
  }
  return undefined
}
