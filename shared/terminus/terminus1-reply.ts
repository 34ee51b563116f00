import { floatText, readFloat } from '../python/number.ts'
import { stringRepr } from '../python/repr.ts'
import { type Json, JsonDecodeError, readJson } from './python-json-reader.ts'

export type Terminus1Command = { keystrokes: string; is_blocking: boolean; timeout_sec: number }
export type Terminus1Reply = { commands: Terminus1Command[]; complete: boolean }

const yes = ['true', 't', 'yes', 'y', 'on', '1']
const no = ['false', 'f', 'no', 'n', 'off', '0']

/**
 * Reads a reply of terminus-1: one JSON object of its schema and nothing else, with no field more. Truth values and numbers may be written as texts, as
 * pydantic takes them. Null where it is none.
 */
export function readTerminus1(text: string): Terminus1Reply | null {
  const json = decoded(text)
  if (!(json instanceof Map) || !hasFields(json, ['state_analysis', 'explanation', 'commands', 'is_task_complete'])) return null
  const complete = truth(json.get('is_task_complete')!)
  const list = json.get('commands')
  if (!Array.isArray(list) || complete === null || !areTexts(json, ['state_analysis', 'explanation'])) return null
  const commands = list.map(readCommand)
  return commands.every((command) => command !== null) ? { commands, complete } : null
}

/** A command as Python prints it. */
export function terminus1CommandText({ keystrokes, is_blocking, timeout_sec }: Terminus1Command): string {
  return `keystrokes=${stringRepr(keystrokes)} is_blocking=${is_blocking ? 'True' : 'False'} timeout_sec=${floatText(timeout_sec)}`
}

function decoded(text: string): Json {
  try {
    return readJson(text)
  } catch (error) {
    if (error instanceof JsonDecodeError) return null
    throw error
  }
}

/** These fields and no other. */
const hasFields = (json: ReadonlyMap<string, Json>, names: readonly string[]): boolean =>
  json.size === names.length && names.every((name) => json.has(name))

const areTexts = (json: ReadonlyMap<string, Json>, names: readonly string[]): boolean =>
  names.every((name) => typeof json.get(name) === 'string')

function readCommand(json: Json): Terminus1Command | null {
  if (!(json instanceof Map) || !hasFields(json, ['keystrokes', 'is_blocking', 'timeout_sec']) || !areTexts(json, ['keystrokes']))
    return null
  const [is_blocking, timeout_sec] = [truth(json.get('is_blocking')!), seconds(json.get('timeout_sec')!)]
  if (is_blocking === null || timeout_sec === null) return null
  return { keystrokes: String(json.get('keystrokes')), is_blocking, timeout_sec }
}

function truth(value: Json): boolean | null {
  if (typeof value === 'boolean') return value
  const word = typeof value === 'string' || typeof value === 'number' ? String(value).toLowerCase() : ''
  return yes.includes(word) ? true : no.includes(word) ? false : null
}

function seconds(value: Json): number | null {
  if (typeof value === 'string') return readFloat(value)
  return typeof value === 'number' || typeof value === 'boolean' ? Number(value) : null
}
