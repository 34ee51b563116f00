import { datasetError } from './dataset-error.ts'

const MARK = Symbol('mark')
const SET = '__builtin__\nset\n'

/**
 * The JSON files of a perceptron tagger from its pickle (protocol 2): weights by feature and class, fixed tags by word, classes. Bytes are those
 * of Python's `json.dump`. Reads the opcodes that such a file is made of and no other, so nothing in it runs. Throws `dataset/bad-record`.
 */
export function readTaggerPickle(bytes: Uint8Array, name: string): Record<'weights.json' | 'tagdict.json' | 'classes.json', string> {
  try {
    const value = unpickle(bytes)
    const [weights, tagdict, classes] = Array.isArray(value) ? value : []
    if (!(weights instanceof Map && tagdict instanceof Map && classes instanceof Set)) throw new RangeError('it holds something else')
    return { 'weights.json': pythonJson(weights), 'tagdict.json': pythonJson(tagdict), 'classes.json': pythonJson([...classes].sort()) }
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : 'unknown'
    throw datasetError('bad-record', `${name}: not a readable tagger (${why})`, { cause })
  }
}

/** Maps, sets, arrays, strings and numbers. Source: pickletools of Python. */
function unpickle(bytes: Uint8Array): unknown {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const stack: unknown[] = []
  const memo = new Map<number, unknown>()
  let at = 0
  const skip = (length: number) => {
    at += length
    return at - length
  }
  const byte = () => view.getUint8(skip(1))
  const long = () => view.getUint32(skip(4), true)
  const text = (length: number) => latin1(bytes.subarray(at, skip(length) + length))
  const sinceMark = () => stack.splice(stack.lastIndexOf(MARK)).slice(1)
  const tuple = (length: number) => stack.push(stack.splice(-length))
  const opcodes: Record<string, () => unknown> = {
    '\x80': byte, // protocol
    '}': () => stack.push(new Map()),
    ']': () => stack.push([]),
    '(': () => stack.push(MARK),
    q: () => memo.set(byte(), stack.at(-1)),
    r: () => memo.set(long(), stack.at(-1)),
    h: () => stack.push(memo.get(byte())),
    j: () => stack.push(memo.get(long())),
    U: () => stack.push(text(byte())),
    G: () => stack.push(view.getFloat64(skip(8))),
    u: () => setItems(sinceMark(), stack.at(-1)),
    e: () => appendItems(sinceMark(), stack.at(-1)),
    c: () => stack.push(text(SET.length)),
    R: () => stack.push(setOf(stack.splice(-2))),
    '\x85': () => tuple(1),
    '\x87': () => tuple(3),
  }
  for (let code = text(1); code !== '.'; code = text(1)) {
    const run = opcodes[code]
    if (run === undefined) throw new RangeError(`opcode 0x${code.charCodeAt(0).toString(16)} at byte ${at - 1}`)
    run()
  }
  return stack.pop()
}

function setItems(items: unknown[], target: unknown): void {
  if (!(target instanceof Map)) throw new RangeError('items for what is no dictionary')
  for (let index = 0; index < items.length; index += 2) target.set(items[index], items[index + 1])
}

function appendItems(items: unknown[], target: unknown): void {
  if (!Array.isArray(target)) throw new RangeError('items for what is no list')
  for (const item of items) target.push(item)
}

/** The one call that is known: `set(list)`. */
function setOf([callee, parameters]: unknown[]): Set<unknown> {
  const [items] = Array.isArray(parameters) ? parameters : []
  if (callee !== SET || !Array.isArray(items)) throw new RangeError('a call of something else than set')
  return new Set(items)
}

/** Python's `json.dump`: numbers are floats here, and all text is ASCII. */
function pythonJson(value: unknown): string {
  if (typeof value === 'number') return Number.isInteger(value) ? `${value}.0` : `${value}`
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (value instanceof Map) return `{${[...value].map(([key, item]) => `${JSON.stringify(key)}: ${pythonJson(item)}`).join(', ')}}`
  return JSON.stringify(value)
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
