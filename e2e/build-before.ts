import { join } from 'node:path'
import { buildIfChanged } from '../edge/local/build.ts'
import { newDataDir, root, withoutVitest } from './stack.ts'

/** Builds the checkout once before the first file: stacks that start at the same time would all write to `dist`. */
export async function setup(): Promise<void> {
  const { path, remove } = newDataDir()
  try {
    await buildIfChanged(root, join(path, 'build.log'), () => undefined, withoutVitest(process.env))
  } finally {
    remove()
  }
}
