import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'

const ServiceFile = z.object({ url: z.url(), pid: z.int() })
const pathIn = (dataDir: string): string => join(dataDir, 'service.json')

/** Says in its data directory where a service of this machine listens, so that the command line finds it at any port. */
export function writeServiceFile(dataDir: string, url: string, pid: number): void {
  writeFileSync(pathIn(dataDir), `${JSON.stringify({ url, pid })}\n`)
}

export function removeServiceFile(dataDir: string): void {
  rmSync(pathIn(dataDir), { force: true })
}

/** Address of the service that runs in this data directory; null where none does, or where it died without a word. */
export function serviceAddress(dataDir: string): string | null {
  try {
    const { url, pid } = ServiceFile.parse(JSON.parse(readFileSync(pathIn(dataDir), 'utf8')))
    return isAlive(pid) ? url : null
  } catch {
    return null
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM' // somebody else's process
  }
}
