import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { sourceVersion } from './source-version.ts'

declare global {
  /** Version of a bundled program, put in by whoever bundles it; not there in a checkout. */
  var benchVersion: string | undefined
  /** The checkout that a bundled agent of `npm start` was made from, put in by whoever bundles it. */
  var benchCheckout: string | undefined
}

/** The module that threads of this program begin with, beside the one that starts them: the packaged program is one file, its threads are it too. */
export const threadEntry: string | null =
  globalThis.benchVersion === undefined ? `./heavy-thread.${globalThis.benchCheckout === undefined ? 'ts' : 'mjs'}` : null

/** The checkout this program runs from; null for the package, which has only the data beside it. */
export const checkoutDir: string | null =
  globalThis.benchCheckout ?? (globalThis.benchVersion === undefined ? join(import.meta.dirname, '..') : null)

/** `shared/benchmarks` of the checkout, or the samples of it that stand beside the packaged program. */
export const benchmarksDir: string =
  checkoutDir === null ? join(import.meta.dirname, 'benchmarks') : join(checkoutDir, 'shared', 'benchmarks')

/** Where this program lies: its checkout, the folder of its package, or its file and data where they stand among others. */
export const programPlaces: readonly string[] = [
  ...(checkoutDir === null ? [] : [checkoutDir]),
  ...(existsSync(join(import.meta.dirname, 'package.json')) ? [import.meta.dirname] : [import.meta.filename, benchmarksDir]),
]

/** Version of the code that runs: the package's, in a repository with its commit. What is signed names this one. */
export function codeVersion(): string {
  return checkoutDir === null ? programVersion() : sourceVersion(checkoutDir).version
}

/** Version of this program as its package names it. */
export function programVersion(): string {
  if (checkoutDir === null) return globalThis.benchVersion ?? ''
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(join(checkoutDir, 'package.json'), 'utf8'))).version
}
