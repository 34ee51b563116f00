import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { proofs, proofsUsage } from './proofs.ts'

/** Runs one of the proofs with the arguments after its name; its exit code is ours. */
async function main([name = '', ...args]: string[]): Promise<number> {
  if (!Object.hasOwn(proofs, name)) {
    console.error(proofsUsage)
    return name === '' || name === '--help' ? 0 : 2
  }
  const file = join(import.meta.dirname, proofs[name as keyof typeof proofs]) // checked the line before
  // The soak is one of the measurements, which take a name of their own.
  const child = spawn(process.execPath, [file, ...(name === 'soak' ? [name] : []), ...args], { stdio: 'inherit' })
  // Ctrl-C reaches the whole group; the proof takes its own processes down first.
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  const [code] = await once(child, 'exit')
  return typeof code === 'number' ? code : 1
}

process.exitCode = await main(process.argv.slice(2))
