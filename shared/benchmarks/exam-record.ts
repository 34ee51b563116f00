import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import * as z from 'zod'
import type { Picture } from '../contract/message.ts'

/** The columns that are used; the canary, the rationale and the author are never read. `image` is a data URI, or empty. */
export const examColumns = ['id', 'question', 'image', 'answer', 'answer_type', 'raw_subject', 'category'] as const

const dataUri = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+=-]+)*,/

export const ExamRecord = z.object({
  id: z.string().min(1),
  question: z.string().min(1),
  image: z
    .string()
    .nullish()
    .transform((image) => image ?? '')
    .refine((image) => image === '' || dataUri.test(image), 'is no data URI'),
  answer: z.string().min(1),
  answer_type: z.enum(['exactMatch', 'multipleChoice']),
  raw_subject: z.string(),
  category: z.string(),
})
export type ExamRecord = z.infer<typeof ExamRecord>

/** A picture as the model is shown it, unchanged, with the hash and size of the file that the data URI holds. */
export function pictureOf(uri: string): Picture {
  const [head = '', media_type = ''] = dataUri.exec(uri) ?? []
  const payload = uri.slice(head.length)
  const bytes = head.endsWith(';base64,')
    ? Uint8Array.from(atob(payload), (character) => character.charCodeAt(0))
    : new TextEncoder().encode(payload)
  return { media_type, sha256: bytesToHex(sha256(bytes)), bytes: bytes.length, data: uri }
}
