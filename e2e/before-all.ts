import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { buildIfChanged } from '../edge/local/build.ts'
import { offerStacks } from './shared-stack.ts'
import { newDataDir, root, withoutVitest } from './stack.ts'

/**
 * Builds the checkout once before the first file: stacks that start at the same time would all write to `dist`. Then
 * offers the services that test files share. Returns the function that stops them.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { path, remove } = newDataDir()
  try {
    await buildIfChanged(root, join(path, 'build.log'), () => undefined, withoutVitest(process.env))
  } finally {
    remove()
  }
  const { url, stop } = await offerStacks()
  project.provide('sharedStacks', url)
  return stop
}
