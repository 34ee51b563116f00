/** What is wrong with the arguments. */
export class UsageError extends Error {}

const options = {
  add: { due: isDate },
  list: { all: null, tag: isTag, 'due-before': isDate, sort: (value) => ['due', 'created', 'text'].includes(value) },
  done: {},
  undo: {},
  rm: {},
  edit: { due: (value) => value === 'none' || isDate(value), tag: isTag, untag: isTag },
  purge: {},
  help: {},
}
const nouns = { due: 'date', 'due-before': 'date', tag: 'tag', untag: 'tag', sort: 'sort' }

/**
 * A command line taken apart: values of options are lists, in order.
 *
 * @param {string[]} argv
 * @returns {{ command: string, words: string[], ids: number[], given: Record<string, string[]> }}
 */
export function readArguments([command = 'help', ...rest]) {
  if (!Object.hasOwn(options, command)) throw new UsageError(`unknown command "${command}"`)
  const words = []
  const ids = []
  const given = {}
  const addWord = (word) => {
    if (['list', 'purge'].includes(command)) throw new UsageError('too many arguments')
    const isId = ['done', 'undo', 'rm'].includes(command) || (command === 'edit' && ids.length === 0)
    if (!isId) return void words.push(word)
    if (!/^[1-9][0-9]*$/.test(word)) throw new UsageError(`bad id "${word}"`)
    ids.push(Number(word))
  }
  for (let at = 0; at < rest.length; at++) {
    const argument = rest[at]
    if (argument === '--') {
      for (const word of rest.slice(at + 1)) addWord(word)
      break
    }
    if (!argument.startsWith('--')) {
      addWord(argument)
      continue
    }
    const cut = argument.indexOf('=')
    const name = argument.slice(2, cut < 0 ? undefined : cut)
    if (!Object.hasOwn(options[command], name)) throw new UsageError(`unknown option "--${name}"`)
    const check = options[command][name]
    let value = cut < 0 ? undefined : argument.slice(cut + 1)
    if (check === null) {
      if (value !== undefined) throw new UsageError(`option --${name} takes no value`)
    } else {
      value ??= rest[++at]
      if (value === undefined) throw new UsageError(`option --${name} needs a value`)
      if (!check(value)) throw new UsageError(`bad ${nouns[name]} "${value}"`)
    }
    given[name] = [...(given[name] ?? []), value]
  }
  return { command, words, ids: [...new Set(ids)], given }
}

export function isTag(text) {
  return /^[a-z0-9-]+$/.test(text)
}

function isDate(text) {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = match.slice(1).map(Number)
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= days[month - 1]
}
