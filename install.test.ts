import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

/** Stands for npm: notes its arguments, and records the packages of the lockfile as npm does. */
const npm = `const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
appendFileSync('npm.log', process.argv.slice(2).join(' ') + '\\n')
const { packages } = JSON.parse(readFileSync('package-lock.json'))
const left = Object.entries(packages).filter(([path, { dev }]) => path && !(dev && process.argv.includes('--omit=dev')))
for (const [path] of left) mkdirSync(path, { recursive: true })
writeFileSync('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(left) }))`

let dir: string
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'bench-install-'))
  mkdirSync(join(dir, 'edge/local'), { recursive: true })
  for (const file of ['install.mjs', 'edge/local/progress.mjs']) copyFileSync(join(import.meta.dirname, file), join(dir, file))
  writeFileSync(join(dir, 'npm-cli.js'), npm)
  lockWith('1.0.0')
})
afterEach(() => rmSync(dir, { recursive: true }))

function lockWith(version: string): void {
  const packages = { '': {}, 'node_modules/served': { version }, 'node_modules/tested': { version, dev: true } }
  writeFileSync(join(dir, 'package-lock.json'), JSON.stringify({ packages }))
}

/** Installs as `npm start` or as `npm test` does; returns what npm was told, or nothing where it was not asked. */
function install(developing: boolean): string {
  rmSync(join(dir, 'npm.log'), { force: true })
  const program = `import { ensureInstalled } from './install.mjs'
    await ensureInstalled({ developing: ${developing} })`
  const env = { PATH: process.env.PATH, npm_execpath: join(dir, 'npm-cli.js') }
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: dir, env, encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
  return existsSync(join(dir, 'npm.log')) ? readFileSync(join(dir, 'npm.log'), 'utf8') : ''
}

test('[START451] `npm start` installs what a service needs, once, and again for another lockfile', () => {
  expect(install(false)).toContain('--omit=dev')
  expect(existsSync(join(dir, 'node_modules/tested'))).toBe(false)
  expect(install(false)).toBe('')
  lockWith('1.0.1')
  expect(install(false)).toContain('--omit=dev')
})

test('[START451] `npm test` adds what developers need, and `npm start` keeps it from then on', () => {
  install(false)
  expect(install(true)).toContain('--include=dev')
  expect(existsSync(join(dir, 'node_modules/tested'))).toBe(true)
  for (const developing of [false, true]) expect(install(developing)).toBe('')
  lockWith('1.0.1')
  expect(install(false)).toContain('--include=dev')
})

test('[START451] packages that `npm ci` has installed are not installed again', () => {
  spawnSync(process.execPath, ['npm-cli.js', 'ci'], { cwd: dir })
  for (const developing of [false, true]) expect(install(developing)).toBe('')
})
