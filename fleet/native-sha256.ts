import { hash } from 'node:crypto'

/** SHA-256 in hex of a text's UTF-8 bytes by Node itself, in a tenth of the time: an agent hashes every prompt that it sends. */
export function sha256Hex(text: string): string {
  return hash('sha256', text)
}

/** The same of texts that begin alike. To keep the state after the beginning costs more than to hash a prompt's again. */
export function sha256After(beginning: string): (rest: string) => string {
  return (rest) => hash('sha256', beginning + rest)
}
