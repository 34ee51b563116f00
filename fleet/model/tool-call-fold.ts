import type { ToolCall } from '#shared/contract/message.ts'
import { type Fields, isFields } from './json-fields.ts'

/**
 * A tool call that is being read. `key` is the index under which its fragments come; null where they come without one. `named_again`: a finished call
 * was named once more, without arguments. `closes`: what was written last ends as an object does. `parses`: how often it was looked at as a whole.
 */
type OpenCall = ToolCall & { key: number | string | null; named_again: boolean; closes: boolean; parses: number }

/** The tool calls of one answer so far, in the order in which they were opened. */
export type OpenCalls = OpenCall[]

type Fragment = { key: number | string | null; id: string | null; name: string | null; written: string; typed: boolean }

const mostToolCalls = 1000
/** So often the arguments of one call are parsed while they grow: a text of braces alone would take time without end. */
const mostParses = 100

/**
 * Folds the fragments of one chunk into the calls; gives the problem of a list that cannot be read. A fragment belongs to the call with its id, else to
 * the latest with its index, else to the last one. It opens a call where it brings a new id and a name, or a name behind a finished call.
 */
export function foldToolCalls(calls: OpenCalls, fragments: unknown): string | null {
  const list = isFields(fragments) ? [fragments] : fragments
  if (!Array.isArray(list)) return 'tool_calls is not a list'
  const taken = new Set<OpenCall>()
  for (const [position, entry] of list.entries()) {
    const fragment = readFragment(entry)
    if (typeof fragment === 'string') return fragment
    const call = callFor(calls, fragment, list.length > 1 ? position : null, taken) ?? openCall(calls, fragment)
    if (!call) return 'there are too many tool calls'
    taken.add(call)
    write(call, fragment)
  }
  return null
}

/** Folds a whole list of calls that repeats what came in fragments: it fills what is missing, and opens what did not come. */
export function foldWholeCalls(calls: OpenCalls, whole: unknown): string | null {
  if (calls.length === 0) return foldToolCalls(calls, whole)
  if (!Array.isArray(whole)) return 'tool_calls is not a list'
  for (const [position, entry] of whole.entries()) {
    const fragment = readFragment(entry)
    if (typeof fragment === 'string') return fragment
    const { id, name } = fragment
    const there = calls[position]
    const told = calls.find((call) => id !== null && call.id === id) ?? (there && (there.name ?? name) === name ? there : undefined)
    const call = told ?? openCall(calls, fragment)
    if (!call) return 'there are too many tool calls'
    call.name ??= name
    call.id ??= id
    if (fragment.written !== '' && !isWhole(call)) call.arguments = fragment.written
  }
  return null
}

/** The calls as solvers see them: by their index where all have one, else as they came. */
export function closeCalls(calls: OpenCalls): ToolCall[] {
  const indexed = calls.every(({ key }) => typeof key === 'number')
  const ordered = indexed ? calls.toSorted((a, b) => Number(a.key) - Number(b.key)) : calls
  return ordered.map(({ id, name, arguments: written }) => ({ id, name, arguments: written }))
}

/** A fragment of OpenAI's former `function_call`, as one of a call with an index of its own; null where it holds nothing. */
export function legacyFragment(call: unknown): Fields | null {
  if (!isFields(call) || (!call.name && !call.arguments)) return null
  return { index: 'function_call', function: call }
}

function readFragment(entry: unknown): Fragment | string {
  if (!isFields(entry)) return 'a tool call is not an object'
  const key = keyOf(entry.index)
  if (key === undefined) return 'a tool call has no usable index'
  const told = isFields(entry.function) ? entry.function : entry
  const { arguments: given } = told
  return {
    key,
    id: filled(typeof entry.id === 'number' ? String(entry.id) : entry.id),
    name: filled(told.name),
    written: typeof given === 'string' ? given : typeof given === 'object' && given !== null ? JSON.stringify(given) : '',
    typed: filled(entry.type) !== null,
  }
}

const filled = (text: unknown): string | null => (typeof text === 'string' && text !== '' ? text : null)

/** An index as servers give it: a number, also as a text, any other text, or none; undefined for a number that is no index. */
function keyOf(index: unknown): number | string | null | undefined {
  if (typeof index === 'string' && index !== '') return /^\d{1,4}$/.test(index) ? Number(index) : index
  if (typeof index !== 'number') return null
  return Number.isInteger(index) && index >= 0 && index < mostToolCalls ? index : undefined
}

/** The call that a fragment goes on with; undefined where it opens one. `position` is its place where a chunk has several. */
function callFor(calls: OpenCalls, fragment: Fragment, position: number | null, taken: ReadonlySet<OpenCall>): OpenCall | undefined {
  const { key, id, name } = fragment
  if (id !== null) {
    const same = calls.findLast((call) => call.id === id)
    if (same) return isAnother(same, fragment, taken) ? undefined : same
  }
  const indexed = key === null ? undefined : calls.findLast((call) => call.key === key)
  if (key !== null && !indexed) return undefined
  const bare = id === null && name === null
  const call = indexed ?? (bare && position !== null ? (calls[position] ?? calls.at(-1)) : calls.at(-1))
  if (!call) return undefined
  if (bare) return beginsAnother(call, fragment) ? undefined : call
  if (taken.has(call)) return undefined
  // An id that changes without a name: the index is what holds such a call together.
  if (name === null) return key === null && isWhole(call) ? undefined : call
  if (id !== null && call.id !== null) return name === call.name && isInTheMiddle(call, fragment) ? call : undefined
  return goesOn(call, fragment) ? call : undefined
}

/** Whether a fragment under the id of a call is one of another call: some servers give the same id to all. */
function isAnother(call: OpenCall, { key, name, written }: Fragment, taken: ReadonlySet<OpenCall>): boolean {
  if (name === null || call.name === null) return false
  if (name === call.name && isWhole(call) && sameJson(call.arguments, written)) return false
  return taken.has(call) || (key !== null && call.key !== null && key !== call.key) || (name !== call.name && isWhole(call))
}

/** Whether arguments without a name begin those of a second call to the same function, which was named before. */
function beginsAnother(call: OpenCall, fragment: Fragment): boolean {
  if (!call.named_again || !opens(fragment.written) || sameJson(call.arguments, fragment.written)) return false
  fragment.name = call.name
  return true
}

/** Whether a fragment brings a later piece of arguments that are not whole yet. */
const isInTheMiddle = (call: OpenCall, { written }: Fragment): boolean =>
  call.arguments !== '' && written !== '' && !opens(written) && !isWhole(call)

/** Whether a named fragment without an id goes on with a call: it names it at last, names it again, or brings the next piece of its name. */
function goesOn(call: OpenCall, { key, id, name, written, typed }: Fragment): boolean {
  if (call.name === null) return true
  if (name === call.name) {
    if (!isWhole(call)) return true
    if (written === '') call.named_again = true
    return written === '' || sameJson(call.arguments, written)
  }
  return call.arguments === '' && written === '' && key !== null && id === null && !typed
}

function openCall(calls: OpenCalls, { key, id, name }: Fragment): OpenCall | undefined {
  if (calls.length >= mostToolCalls) return undefined
  const call: OpenCall = { id, name, arguments: '', key, named_again: false, closes: false, parses: 0 }
  calls.push(call)
  return call
}

function write(call: OpenCall, { id, name, written }: Fragment): void {
  call.id ??= id
  if (call.name === null) call.name = name
  else if (name !== null && name !== call.name && call.arguments === '') call.name = name.startsWith(call.name) ? name : call.name + name
  if (written === '') return
  // Behind a whole object a second one is the same told again, or what `{}` stood for.
  call.arguments = opens(written) && isWhole(call) ? written : call.arguments + written
  if (/\S/.test(written)) call.closes = written.trimEnd().endsWith('}')
}

const opens = (written: string): boolean => /^\s*\{/.test(written)

/** Whether the arguments of a call are one whole JSON object by now. */
function isWhole(call: OpenCall): boolean {
  if (!call.closes || call.parses >= mostParses) return false
  call.parses++
  return typeof parsed(call.arguments) === 'object'
}

const sameJson = (a: string, b: string): boolean => a === b || JSON.stringify(parsed(a)) === JSON.stringify(parsed(b))

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
