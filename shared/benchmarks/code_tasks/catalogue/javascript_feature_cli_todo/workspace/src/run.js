import { openList } from './store.js'

/**
 * Runs one command.
 *
 * @param {string[]} argv
 * @param {{ file: string, today: string }} place
 * @returns {{ code: number, out: string, err: string }}
 */
export function run(argv, { file }) {
  const { list } = openList(file)
  return { code: 0, out: `${argv[0]}: ${list.items.length} items\n`, err: '' }
}
