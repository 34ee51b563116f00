import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DebianImage } from './debian-image.ts'

const folder = join(import.meta.dirname, 'programs')

/** What the image of `fleet/images/programs/Dockerfile` is called where `npm run sandbox-image` made it. */
export const programsImage = 'bench-programs:bookworm'

/** The same image as the Dockerfile's: its packages, and those of its lines that say how it is started. */
export function readProgramsImage(): DebianImage {
  const lines = readFileSync(join(folder, 'Dockerfile'), 'utf8').split('\n')
  return {
    name: programsImage,
    packages: readFileSync(join(folder, 'packages.txt'), 'utf8').trim().split('\n'),
    changes: lines.filter((line) => /^(ENV|USER|WORKDIR) /.test(line)),
  }
}
