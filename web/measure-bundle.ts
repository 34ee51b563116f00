import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'

/** Prints the JavaScript that each page loads at first, gzipped, and fails when one is over the limit. Run after `vite build`. */
const limitBytes = 120 * 1024
const dist = new URL('../dist/client/', import.meta.url)

type Chunk = { file: string; imports?: string[]; css?: string[] }
const manifest: Record<string, Chunk> = JSON.parse(readFileSync(new URL('.vite/manifest.json', dist), 'utf8'))
const sizes = new Map<string, number>()

function sizeOf(file: string): number {
  const known = sizes.get(file) ?? gzipSync(readFileSync(new URL(file, dist))).length
  sizes.set(file, known)
  return known
}

function collect(key: string, into: Set<string>): Set<string> {
  const chunk = manifest[key]
  if (!chunk || into.has(chunk.file)) return into
  into.add(chunk.file)
  for (const imported of chunk.imports ?? []) collect(imported, into)
  return into
}

const nameOf = (key: string) =>
  key
    .replace(/\?.*$/, '')
    .replace(/^.*web\/src\/routes/, '')
    .replace(/\.tsx$/, '')
/** Parts that are loaded apart, by the page that shows them at first all the same. */
const shownAtFirst: Record<string, string[]> = { '/runs/[id]/index': ['web/src/run/run-summary.tsx'] }
const entry = Object.keys(manifest).find((key) => key.includes('entry-client'))!
const routes = Object.keys(manifest).filter((key) => key.includes('web/src/routes/'))
let worst = 0
for (const route of routes) {
  const files = collect(entry, new Set())
  // A nested page is drawn inside its layouts: those whose path its own continues.
  for (const one of routes) if (nameOf(route) === nameOf(one) || nameOf(route).startsWith(`${nameOf(one)}/`)) collect(one, files)
  for (const part of shownAtFirst[nameOf(route)] ?? []) collect(part, files)
  const total = [...files].filter((file) => file.endsWith('.js')).reduce((sum, file) => sum + sizeOf(file), 0)
  worst = Math.max(worst, total)
  console.log(`${(total / 1024).toFixed(1).padStart(7)} KB  ${nameOf(route)}`)
}
console.log(`${(worst / 1024).toFixed(1).padStart(7)} KB  heaviest of ${routes.length}, limit ${limitBytes / 1024} KB`)
if (routes.length === 0 || worst > limitBytes) process.exitCode = 1
