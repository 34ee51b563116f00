import { readFileSync, renameSync, writeFileSync } from 'node:fs'

/**
 * @typedef {{ id: number, text: string, created: string, due: string | null, tags: string[], done: string | null }} Item
 * @typedef {{ version: 1, next: number, items: Item[] }} List
 */

/** Why a list cannot be used. */
export class StoreError extends Error {}

/**
 * The list of a file, and how to save it.
 *
 * @param {string} file
 * @returns {{ list: List, save: () => void }}
 */
export function openList(file) {
  return { list: readList(file), save() { writeList(file, this.list) } }
}

function readList(file) {
  let text
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause.code === 'ENOENT') return { version: 1, next: 1, items: [] }
    throw new StoreError(`cannot read ${file}`, { cause })
  }
  let list
  try {
    list = JSON.parse(text)
  } catch (cause) {
    throw new StoreError(`${file} is damaged`, { cause })
  }
  if (list?.version !== 1 || list.next === undefined || !Array.isArray(list.items)) throw new StoreError(`${file} is damaged`)
  return list
}

function writeList(file, list) {
  try {
    writeFileSync(`${file}.tmp`, `${JSON.stringify(list, null, 2)}\n`)
    renameSync(`${file}.tmp`, file)
  } catch (cause) {
    throw new StoreError(`cannot write ${file}`, { cause })
  }
}
