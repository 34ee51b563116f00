import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { writePackage } from './write-package.ts'

/** `npm run package`: makes `dist/cli/` and its tarball, the program for machines that have no checkout. */
const root = join(import.meta.dirname, '..', '..')
const dist = join(root, 'dist')
const dir = join(dist, 'cli')
const bytes = await writePackage(root, dir, process.env.VERSION || undefined)
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
const told = execFileSync(npm, ['pack', dir, '--json', '--silent', '--pack-destination', dist], { cwd: root, encoding: 'utf8' })
const [{ filename }] = JSON.parse(told) as [{ filename: string }] // npm's own answer for the one folder it was given
const tarball = join(dist, filename)
const megabytes = (size: number) => `${(size / 1e6).toFixed(2)} MB`
console.log(`${relative(root, dir)}/bench.mjs  ${megabytes(bytes)}`)
console.log(`${relative(root, tarball)}  ${megabytes(statSync(tarball).size)}`)
// Without the dot npm takes a path of two parts for a repository on GitHub.
console.log(`install it anywhere with Node 20.12 or later:  npm install -g ./${relative(root, tarball)}`)
