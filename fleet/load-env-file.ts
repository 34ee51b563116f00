import { existsSync, readFileSync } from 'node:fs'
import { readEnvFile } from '#shared/env-file.ts'

/**
 * Sets the variables of a `.env` file that `env` does not hold yet; nothing happens where there is no such file. Gives the sentence about a file that
 * cannot be read, null where all is well.
 */
export function loadEnvFile(path: string, env: Record<string, string | undefined>): string | null {
  if (!existsSync(path)) return null
  const file = readEnvFile(readFileSync(path), path)
  if (!file.ok) return `${file.message} Nothing was started.`
  for (const [name, value] of Object.entries(file.values)) env[name] ??= value
  return null
}
