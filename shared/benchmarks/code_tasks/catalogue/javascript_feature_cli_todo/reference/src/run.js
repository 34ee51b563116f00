import { isTag, readArguments, UsageError } from './arguments.js'
import { openList, StoreError } from './store.js'

/** Something that is not in the list. */
class MissingError extends Error {}

/**
 * Runs one command.
 *
 * @param {string[]} argv
 * @param {{ file: string, today: string }} place
 * @returns {{ code: number, out: string, err: string }}
 */
export function run(argv, { file, today }) {
  try {
    const request = readArguments(argv)
    checkWhole(request)
    if (request.command === 'help') return { code: 0, out: 'usage: todo add|list|done|undo|rm|edit|purge|help\n', err: '' }
    const store = openList(file)
    const before = JSON.stringify(store.list)
    const lines = commands[request.command](store.list, request, today)
    if (JSON.stringify(store.list) !== before) store.save()
    return { code: 0, out: lines.map((line) => `${line}\n`).join(''), err: '' }
  } catch (error) {
    if (error instanceof UsageError) return { code: 2, out: '', err: `todo: ${error.message}\n` }
    if (error instanceof MissingError || error instanceof StoreError) return { code: 1, out: '', err: `todo: ${error.message}\n` }
    throw error
  }
}

function checkWhole({ command, words, ids, given }) {
  if (command === 'add' && splitTags(words).text === '') throw new UsageError('nothing to add')
  if (['done', 'undo', 'rm', 'edit'].includes(command) && ids.length === 0) throw new UsageError('no id given')
  if (command === 'edit' && words.length === 0 && Object.keys(given).length === 0) throw new UsageError('nothing to change')
}

const commands = {
  add(list, { words, given }, today) {
    const { text, tags } = splitTags(words)
    list.items.push({ id: list.next, text, created: today, due: given.due?.at(-1) ?? null, tags, done: null })
    return [`added ${list.next++}`]
  },
  list(list, { given }, today) {
    const before = given['due-before']?.at(-1)
    const shown = list.items
      .filter((item) => given.all || item.done === null)
      .filter((item) => (given.tag ?? []).every((tag) => item.tags.includes(tag)))
      .filter((item) => before === undefined || (item.due !== null && item.due < before))
      .sort((a, b) => compare(sortKey(a, given.sort?.at(-1)), sortKey(b, given.sort?.at(-1))) || a.id - b.id)
    const width = Math.max(0, ...shown.map(({ id }) => String(id).length))
    const lines = shown.map((item) => {
      const mark = item.done !== null ? '[x]' : item.due !== null && item.due < today ? '[!]' : '[ ]'
      const due = item.due === null ? '' : ` (due ${item.due})`
      return `${String(item.id).padStart(width)} ${mark} ${item.text}${due}${item.tags.map((tag) => ` #${tag}`).join('')}`
    })
    const open = list.items.filter(({ done }) => done === null).length
    const summary = `${open} open, ${list.items.length - open} done`
    return lines.length > 0 ? [...lines, '', summary] : [summary]
  },
  done: (list, { ids }, today) => mark(list, ids, today, 'done', 'was done'),
  undo: (list, { ids }) => mark(list, ids, null, 'undone', 'was not done'),
  rm(list, { ids }) {
    find(list, ids)
    list.items = list.items.filter(({ id }) => !ids.includes(id))
    return ids.map((id) => `removed ${id}`)
  },
  edit(list, { ids: [id], words, given }) {
    const [item] = find(list, [id])
    const before = JSON.stringify(item)
    const { text, tags } = splitTags(words)
    if (text !== '') item.text = text
    const due = given.due?.at(-1)
    if (due !== undefined) item.due = due === 'none' ? null : due
    const all = new Set([...item.tags, ...tags, ...(given.tag ?? [])])
    item.tags = [...all].filter((tag) => !given.untag?.includes(tag))
    return [JSON.stringify(item) === before ? `${id} unchanged` : `changed ${id}`]
  },
  purge(list) {
    const kept = list.items.filter(({ done }) => done === null)
    const count = list.items.length - kept.length
    list.items = kept
    return [`purged ${count}`]
  },
}

function mark(list, ids, value, word, already) {
  return find(list, ids).map((item) => {
    if ((item.done === null) === (value === null)) return `${item.id} ${already}`
    item.done = value
    return `${word} ${item.id}`
  })
}

function find(list, ids) {
  return ids.map((id) => {
    const item = list.items.find((one) => one.id === id)
    if (!item) throw new MissingError(`no item ${id}`)
    return item
  })
}

function splitTags(words) {
  const all = words.join(' ').split(' ').filter((word) => word !== '')
  const isTagWord = (word) => word.startsWith('#') && isTag(word.slice(1))
  const tags = [...new Set(all.filter(isTagWord).map((word) => word.slice(1)))]
  return { text: all.filter((word) => !isTagWord(word)).join(' '), tags }
}

function sortKey(item, by) {
  if (by === 'due') return item.due ?? '~'
  if (by === 'created') return item.created
  return by === 'text' ? item.text.toLowerCase() : ''
}

function compare(a, b) {
  return a < b ? -1 : a > b ? 1 : 0
}
