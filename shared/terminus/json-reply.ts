import { stringRepr } from '../python/repr.ts'
import { codePoints, countOf, pySpace, strip } from '../python/text.ts'
import { type Json, JsonDecodeError, readJson } from './python-json-reader.ts'
import { type Harness, joinedWarning, listed, type Reply, type ReplyCommand, unreadable } from './reply.ts'

const required = ['analysis', 'plan', 'commands'] as const
const noObject = 'No valid JSON found in response'

/**
 * Reads a reply in terminus-2's JSON form, as Harbor 0.25.0 does and with its texts: the first object whose braces close; where that fails, the reply with
 * the braces it lacks, then the first small object in it. Total. Where Harbor ends with an exception (nesting beyond Python's, whole numbers
 * beyond a double) the reply has an error or an infinite duration.
 */
export function parseJsonReply(text: string, harness: Harness = 'harbor'): Reply {
  const reply = readOnce(text, harness)
  if (reply.error === '') return reply
  for (const { name, fix } of fixes) {
    const fixed = fix(text, reply.error)
    const again = fixed === null ? null : readOnce(fixed, harness)
    if (again?.error !== '') continue
    const note = `- AUTO-CORRECTED: ${name} - please fix this in future responses`
    return { ...again, warning: again.warning ? `${note}\n${again.warning}` : note }
  }
  return reply
}

const fixes: readonly { name: string; fix(text: string, error: string): string | null }[] = [
  { name: 'Fixed incomplete JSON by adding missing closing brace', fix: closeBraces },
  { name: 'Extracted JSON from mixed content', fix: findSmallObject },
]

function closeBraces(text: string, error: string): string | null {
  if (!['Invalid JSON', 'Expecting', 'Unterminated', 'No valid JSON found'].some((part) => error.includes(part))) return null
  const missing = countOf(text, '{') - countOf(text, '}')
  return missing > 0 ? text + '}'.repeat(missing) : null
}

/** The first object with at most one level of objects within it that is JSON. Braces are counted in strings too. */
function findSmallObject(text: string): string | null {
  for (let start = text.indexOf('{'); start >= 0; ) {
    const end = smallObjectEnd(text, start)
    const found = end === null ? null : text.slice(start, end)
    if (found !== null && isJson(found)) return found
    start = text.indexOf('{', end ?? start + 1)
  }
  return null
}

const toBrace = /[^{}]*/y

function nextBrace(text: string, from: number): number {
  toBrace.lastIndex = from
  toBrace.exec(text)
  return toBrace.lastIndex
}

function smallObjectEnd(text: string, start: number): number | null {
  let at = nextBrace(text, start + 1)
  while (text[at] === '{') {
    const inner = nextBrace(text, at + 1)
    if (text[inner] !== '}') return null
    at = nextBrace(text, inner + 1)
  }
  return text[at] === '}' ? at + 1 : null
}

function isJson(text: string): boolean {
  return 'value' in decoded(text)
}

function decoded(text: string): { value: Json } | { refusal: string } {
  try {
    return { value: readJson(text) }
  } catch (error) {
    if (error instanceof JsonDecodeError) return { refusal: error.message }
    throw error
  }
}

function readOnce(text: string, harness: Harness): Reply {
  const warnings: string[] = []
  const json = findObject(text, warnings)
  if (json === null) return unreadable(noObject, warnings)
  const read = decoded(json)
  if ('refusal' in read) return unreadable(`Invalid JSON: ${read.refusal}${shown(json)}`, warnings)
  if (!(read.value instanceof Map)) return unreadable('Response must be a JSON object', warnings)
  const error = checkFields(read.value, json, warnings)
  if (error) return unreadable(error, warnings)
  const complete = isTrue(read.value.get('task_complete') ?? null)
  const commands = readCommands(read.value.get('commands') as Json[], harness, warnings) // checked to be an array above
  const failed = typeof commands === 'string'
  if (failed && complete) warnings.push(commands)
  return {
    commands: failed ? [] : commands,
    complete,
    error: failed && !complete ? commands : '',
    warning: listed(warnings),
    analysis: textOr(read.value.get('analysis')),
    plan: textOr(read.value.get('plan')),
  }
}

const textOr = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function shown(json: string): string {
  const signs = codePoints(json)
  if (signs.length < 200) return ` | Content: ${stringRepr(json)}`
  return ` | Content preview: ${stringRepr(signs.slice(0, 100).join(''))}...`
}

/** The first object whose braces close, counted outside strings; a backslash hides what follows it, also outside of them. */
function findObject(text: string, warnings: string[]): string | null {
  const bounds = findBounds(text)
  if (!bounds) {
    warnings.push('No valid JSON object found')
    return null
  }
  if (strip(text.slice(0, bounds.start))) warnings.push('Extra text detected before JSON object')
  if (strip(text.slice(bounds.end))) warnings.push('Extra text detected after JSON object')
  return text.slice(bounds.start, bounds.end)
}

function findBounds(text: string): { start: number; end: number } | null {
  let [start, depth, inString] = [-1, 0, false]
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]
    if (sign === '\\') at++
    else if (sign === '"') inString = !inString
    else if (inString) continue
    else if (sign === '{') {
      if (depth === 0) start = at
      depth++
    } else if (sign === '}') {
      depth--
      if (depth === 0 && start !== -1) return { start, end: at + 1 }
    }
  }
  return null
}

function checkFields(reply: Map<string, Json>, json: string, warnings: string[]): string {
  const missing = required.filter((field) => !reply.has(field))
  if (missing.length > 0) return `Missing required fields: ${missing.join(', ')}`
  for (const field of ['analysis', 'plan']) if (typeof reply.get(field) !== 'string') warnings.push(`Field '${field}' should be a string`)
  if (!Array.isArray(reply.get('commands'))) return "Field 'commands' must be an array"
  checkOrder(json, warnings)
  const complete = reply.get('task_complete') ?? null
  if (complete !== null && typeof complete !== 'boolean' && typeof complete !== 'string')
    warnings.push("Field 'task_complete' should be a boolean or string")
  return ''
}

/** The order in which the fields' names first stand before a colon anywhere in the text. */
function checkOrder(json: string, warnings: string[]): void {
  const places = required.flatMap((field) => {
    const at = json.search(new RegExp(`"${field}"[${pySpace}]*:`, 'u'))
    return at < 0 ? [] : [{ field, at }]
  })
  const found = places.toSorted((a, b) => a.at - b.at)
  if (found.every(({ field }, index) => field === places[index]!.field)) return
  const arrows = (list: typeof places) => list.map(({ field }) => field).join(' → ')
  warnings.push(`Fields appear in wrong order. Found: ${arrows(found)}, expected: ${arrows(places)}`)
}

/** Python's truth of a value; of a text, whether it says so. */
function isTrue(value: Json): boolean {
  if (typeof value === 'string') return ['true', '1', 'yes'].includes(value.toLowerCase())
  if (Array.isArray(value)) return value.length > 0
  if (value instanceof Map) return value.size > 0
  return value !== null && value !== false && value !== 0
}

function readCommands(list: readonly Json[], harness: Harness, warnings: string[]): ReplyCommand[] | string {
  const commands: ReplyCommand[] = []
  for (const [index, entry] of list.entries()) {
    const name = `Command ${index + 1}`
    if (!(entry instanceof Map)) return `${name} must be an object`
    const keystrokes = entry.get('keystrokes')
    if (keystrokes === undefined) return `${name} missing required 'keystrokes' field`
    if (typeof keystrokes !== 'string') return `${name} 'keystrokes' must be a string`
    const duration_sec = readDuration(entry, name, warnings)
    const unknown = [...entry.keys()].filter((key) => key !== 'keystrokes' && key !== 'duration')
    if (unknown.length > 0) warnings.push(`${name}: Unknown fields: ${unknown.join(', ')}`)
    const waits = keystrokes === '' && harness === 'harbor'
    if (index < list.length - 1 && !waits && !keystrokes.endsWith('\n')) warnings.push(`${name} ${joinedWarning}`)
    commands.push({ keystrokes, duration_sec })
  }
  return commands
}

function readDuration(entry: Map<string, Json>, name: string, warnings: string[]): number {
  const duration = entry.get('duration')
  if (typeof duration === 'number' || typeof duration === 'boolean') return Number(duration)
  warnings.push(`${name}: ${duration === undefined ? 'Missing duration field' : 'Invalid duration value'}, using default 1.0`)
  return 1
}
