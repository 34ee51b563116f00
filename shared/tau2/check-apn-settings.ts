import { ApnSettings, apnNames } from './phone.ts'
import { PythonError, type PyValue, pyRepr, typeName } from './python-values.ts'

/** What pydantic says of a value that it does not take, by the kind of the error. */
const refusals = {
  enum: `Input should be ${apnNames.map((name) => `'${name}'`).join(' or ')}`,
  bool_parsing: 'Input should be a valid boolean, unable to interpret input',
  bool_type: 'Input should be a valid boolean',
  string_type: 'Input should be a valid string',
  string_unicode: 'Input should be a valid string, unable to parse raw data as a unicode string',
  int_type: 'Input should be a valid integer',
  int_parsing: 'Input should be a valid integer, unable to parse string as an integer',
  int_parsing_size: 'Unable to parse input string as an integer, exceeded maximum size',
  int_from_float: 'Input should be a valid integer, got a number with a fractional part',
  finite_number: 'Input should be a finite number',
  extra_forbidden: 'Extra inputs are not permitted',
} as const
type Refusal = keyof typeof refusals
type Taken<T> = { value: T } | { refused: Refusal }

const yes = ['1', 'on', 't', 'true', 'y', 'yes']
const no = ['0', 'off', 'f', 'false', 'n', 'no']

/** Half of a surrogate pair alone: Python takes it into a string, and pydantic refuses to look into such a string. */
const torn = (value: PyValue): boolean => typeof value === 'string' && /\p{Cs}/u.test(value)

function takeName(value: PyValue): Taken<ApnSettings['apn_name']> {
  if (torn(value)) return { refused: 'string_unicode' }
  const name = apnNames.find((known) => known === value)
  return name === undefined ? { refused: 'enum' } : { value: name }
}

function takeBoolean(value: PyValue): Taken<boolean> {
  if (typeof value === 'boolean') return { value }
  if (torn(value)) return { refused: 'string_unicode' }
  if (typeof value === 'string') {
    const word = value.toLowerCase()
    return yes.includes(word) ? { value: true } : no.includes(word) ? { value: false } : { refused: 'bool_parsing' }
  }
  const whole = typeof value === 'number' && Number.isInteger(value) ? BigInt(value) : value
  if (typeof whole !== 'bigint' || BigInt.asIntN(64, whole) !== whole) return { refused: 'bool_type' }
  return whole === 0n || whole === 1n ? { value: whole === 1n } : { refused: 'bool_parsing' }
}

function takeText(value: PyValue): Taken<string | null> {
  return value === null || typeof value === 'string' ? { value } : { refused: 'string_type' }
}

// White space as Rust trims it: neither the separators of ASCII nor the byte order mark.
const space = '[\\t-\\r \\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]*'
const surrounding = new RegExp(`^${space}|${space}$`, 'g')
const integer = /^([+-]?)(\d+(?:_\d+)*)(?:\.0+)?$/

function takeInteger(value: PyValue): Taken<bigint | null> {
  if (value === null || typeof value === 'bigint') return { value }
  if (typeof value === 'boolean') return { value: value ? 1n : 0n }
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return { refused: 'finite_number' }
    if (!Number.isInteger(value)) return { refused: 'int_from_float' }
    return Math.abs(value) < 2 ** 63 ? { value: BigInt(value) } : { refused: 'int_parsing_size' }
  }
  if (typeof value !== 'string') return { refused: 'int_type' }
  if (torn(value)) return { refused: 'string_unicode' }
  const text = value.replace(surrounding, '')
  if (text.length > 4300) return { refused: 'int_parsing_size' }
  const [, sign, digits] = integer.exec(text) ?? []
  if (digits === undefined) return { refused: 'int_parsing' }
  const size = BigInt(digits.replaceAll('_', ''))
  return { value: sign === '-' ? -size : size }
}

const fields: { [field in keyof ApnSettings]: (value: PyValue) => Taken<ApnSettings[field]> } = {
  apn_name: takeName,
  reset_at_reboot: takeBoolean,
  mms_apn: takeText,
  mmsc_url: takeText,
  mms_proxy: takeText,
  mms_port: takeInteger,
}
const isField = (key: string): key is keyof ApnSettings => Object.hasOwn(fields, key)

/**
 * `APNSettings(**given)`: what pydantic 2.12 makes of a dictionary, or `PythonError` with its account of everything that is wrong: fields in the order of
 * the model, then names that it does not know in the order in which they were given. A string with half of a surrogate pair is refused where it is read.
 */
export function checkApnSettings(given: ReadonlyMap<string, PyValue>): ApnSettings {
  const settings: ApnSettings = ApnSettings.parse({})
  const wrong: string[] = []
  const take = <Field extends keyof ApnSettings>(field: Field): void => {
    const value = given.get(field)
    if (value === undefined) return
    const taken = fields[field](value)
    if ('value' in taken) settings[field] = taken.value
    else wrong.push(refusalText(field, taken.refused, value))
  }
  for (const field of Object.keys(fields)) if (isField(field)) take(field)
  for (const [key, value] of given) if (!isField(key)) wrong.push(refusalText(key, 'extra_forbidden', value))
  // A name that cannot be read ends the look at all of them, and nothing else is told.
  const unread = [...given.keys()].find(torn)
  if (unread !== undefined) wrong.splice(0, wrong.length, refusalText(null, 'string_unicode', unread))
  if (wrong.length === 0) return settings
  throw new PythonError(`${wrong.length} validation error${wrong.length === 1 ? '' : 's'} for APNSettings\n${wrong.join('\n')}`)
}

/** `key`: null where the name itself cannot be read, so that there is no place to tell. */
function refusalText(key: string | null, refusal: Refusal, value: PyValue): string {
  const place = key === null ? '' : `${key.includes('.') ? `\`${key}\`` : key}\n`
  const about = `[type=${refusal}, input_value=${shortened(pyRepr(value))}, input_type=${typeName(value)}]`
  return `${place}  ${refusals[refusal]} ${about}\n    For further information visit https://errors.pydantic.dev/2.12/v/${refusal}`
}

/** More than 50 bytes of UTF-8 become the first 25 and the last 24, cut at whole characters. */
function shortened(text: string): string {
  const bytes = new TextEncoder().encode(text)
  if (bytes.length <= 50) return text
  const inside = (at: number) => (bytes[at]! & 0xc0) === 0x80
  let [head, tail] = [25, bytes.length - 24]
  while (inside(head)) head--
  while (inside(tail)) tail++
  const decoder = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true })
  return `${decoder.decode(bytes.subarray(0, head))}...${decoder.decode(bytes.subarray(tail))}`
}
