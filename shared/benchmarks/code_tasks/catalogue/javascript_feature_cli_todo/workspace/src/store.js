/**
 * @typedef {{ id: number, text: string, created: string, due: string | null, tags: string[], done: string | null }} Item
 * @typedef {{ version: 1, next: number, items: Item[] }} List
 */

/**
 * The list of a file, and how to save it.
 *
 * @param {string} file
 * @returns {{ list: List, save: () => void }}
 */
export function openList(file) {
  throw new Error(`not written yet: ${file}`)
}
