import { randomBytes, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSigningKey, type SigningKey } from '#shared/export/signing-key.ts'

/**
 * The key that signs local results: `configured` where there is one, else a seed made once into `<out>/signing-key`, readable by its owner
 * only. Throws `BadKey` for a text that is no key, and what the file system throws.
 */
export function openLocalKey(out: string, configured: string | undefined): SigningKey {
  if (configured?.trim()) return openSigningKey(configured)
  const path = join(out, 'signing-key')
  // Written beside and linked, so that of two runs that start at once both read the same whole seed.
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' })
  try {
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(draft)
  }
  return openSigningKey(readFileSync(path, 'utf8'))
}
