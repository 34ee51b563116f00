import * as z from 'zod'

type Fits = (value: unknown) => boolean

const never: Fits = () => false

/**
 * Makes a check whether a value from JSON fits a schema just as it is: parsing it would succeed and give its equal. It builds nothing, and so costs a tenth of
 * parsing. False says nothing: what it cannot tell (an unknown key, a default to fill in, a kind it does not know) is for the schema to parse.
 */
export function fitsAsItIs<S extends z.ZodType>(schema: S): (value: unknown) => value is z.output<S> & z.input<S> {
  return compile(schema) as (value: unknown) => value is z.output<S> & z.input<S> // equal to what parsing gives
}

function compile(schema: z.core.$ZodType): Fits {
  const { def, values } = (schema as z.core.$ZodTypes)._zod // the closed union of zod's own kinds
  switch (def.type) {
    case 'string':
      return (def.coerce ? undefined : ofString(def)) ?? byParsing(schema)
    case 'number':
      return (def.coerce ? undefined : ofNumber(def)) ?? byParsing(schema)
    case 'boolean':
      return def.coerce || def.checks?.length ? byParsing(schema) : (value) => typeof value === 'boolean'
    case 'unknown':
      return (value) => value !== undefined
    case 'literal':
    case 'enum':
      return values && !def.checks?.length ? (value) => values.has(value as string) : byParsing(schema) // a set may be asked for anything
    case 'nullable': {
      const inner = compile(def.innerType)
      return def.checks?.length ? never : (value) => value === null || inner(value)
    }
    case 'optional':
    case 'default':
      return def.checks?.length ? never : compile(def.innerType)
    case 'array':
      return inArray(def)
    case 'tuple':
      return inTuple(def)
    case 'record':
      return inRecord(def)
    case 'object':
      return inObject(def)
    case 'union':
      return inUnion(def)
    default:
      return byParsing(schema)
  }
}

/** For kinds without a check of their own: fits if parsing gives back the very same, as it does with most that is no object. */
function byParsing(schema: z.core.$ZodType): Fits {
  return (value) => {
    const parsed = z.safeParse(schema, value)
    return parsed.success && Object.is(parsed.data, value)
  }
}

/** What the checks of a schema say, all of them together; undefined where one is of another kind. */
function together<T>(
  checks: readonly z.core.$ZodCheck<never>[] = [],
  of: (check: z.core.$ZodChecks['_zod']['def']) => ((value: T) => boolean) | undefined,
) {
  const all: ((value: T) => boolean)[] = []
  for (const { _zod } of checks) {
    const holds = of(_zod.def as z.core.$ZodChecks['_zod']['def']) // the closed union of zod's own kinds
    if (!holds) return undefined
    all.push(holds)
  }
  return (value: T): boolean => {
    for (const holds of all) if (!holds(value)) return false
    return true
  }
}

const lengthOf = (check: z.core.$ZodChecks['_zod']['def']): ((value: { length: number }) => boolean) | undefined => {
  if (check.check === 'min_length') return ({ length }) => length >= check.minimum
  if (check.check === 'max_length') return ({ length }) => length <= check.maximum
  return undefined
}

function ofString(def: z.core.$ZodStringDef): Fits | undefined {
  if ('format' in def) return undefined
  const holds = together<string>(def.checks, (check) => {
    if (check.check !== 'string_format') return lengthOf(check)
    const { format, pattern } = check
    return format === 'regex' && pattern && !pattern.global && !pattern.sticky ? (value) => pattern.test(value) : undefined
  })
  return holds && ((value) => typeof value === 'string' && holds(value))
}

function ofNumber(def: z.core.$ZodNumberDef): Fits | undefined {
  const format = 'format' in def ? def.format : undefined
  if (format !== undefined && format !== 'safeint') return undefined
  const isOne = format ? Number.isSafeInteger : Number.isFinite
  const holds = together<number>(def.checks, (check) => {
    if (check.check === 'greater_than')
      return check.inclusive ? (value) => value >= Number(check.value) : (value) => value > Number(check.value)
    if (check.check === 'less_than')
      return check.inclusive ? (value) => value <= Number(check.value) : (value) => value < Number(check.value)
    return undefined
  })
  return holds && ((value) => isOne(value) && holds(value as number))
}

function inArray(def: z.core.$ZodArrayDef): Fits {
  const each = compile(def.element)
  const holds = together(def.checks, lengthOf)
  return holds
    ? (value) => {
        if (!Array.isArray(value) || !holds(value)) return false
        for (const one of value) if (!each(one)) return false
        return true
      }
    : never
}

/** Every place has what fits there; places may not be left out. */
function inTuple(def: z.core.$ZodTupleDef): Fits {
  const each = def.items.map(compile)
  const rest = def.rest ? compile(def.rest) : never
  if (def.checks?.length || def.items.some((item) => item._zod.optin === 'optional')) return never
  return (value) => {
    if (!Array.isArray(value) || value.length < each.length) return false
    for (let at = 0; at < value.length; at++) if (!(each[at] ?? rest)(value[at])) return false
    return true
  }
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function inRecord(def: z.core.$ZodRecordDef): Fits {
  if (def.checks?.length || def.keyType._zod.values) return never
  const [key, each] = [compile(def.keyType), compile(def.valueType)]
  return (value) => {
    if (!isObject(value)) return false
    for (const name in value) if (name === '__proto__' || !key(name) || !each(value[name])) return false
    return true
  }
}

/** Every key is one of the schema's and has a value that fits; one that is absent may be. */
function inObject(def: z.core.$ZodObjectDef): Fits {
  if (def.checks?.length) return never
  const names = Object.keys(def.shape)
  const fields = names.map((name) => compile(def.shape[name]!))
  const mayMiss = names.map((name) => isLeftOut(def.shape[name]!))
  return (value) => {
    if (!isObject(value)) return false
    let known = 0
    for (let at = 0; at < names.length; at++) {
      const one = value[names[at]!]
      if (one === undefined) {
        if (!mayMiss[at]) return false
      } else if (fields[at]!(one)) known++
      else return false
    }
    for (const _ in value) known--
    return known === 0
  }
}

/** Whether a key may be absent and stays so. */
function isLeftOut(field: z.core.$ZodType): boolean {
  const { def } = (field as z.core.$ZodTypes)._zod // the closed union of zod's own kinds
  return def.type === 'optional' && def.innerType._zod.optin === undefined
}

/** By its discriminator, or of a list and something else; in other unions the first member that takes a value changes it as it likes. */
function inUnion(def: z.core.$ZodUnionDef): Fits {
  if (def.checks?.length) return never
  const [list, other, more] = def.options
  if (list?._zod.def.type === 'tuple' && other?._zod.def.type === 'object' && !more) {
    const [inList, inOther] = [compile(list), compile(other)]
    return (value) => (Array.isArray(value) ? inList(value) : inOther(value))
  }
  if (!('discriminator' in def)) return never
  const discriminator = def.discriminator as string // zod types it on the discriminated kind only
  const members = new Map<unknown, Fits>()
  for (const option of def.options) {
    const fits = compile(option)
    for (const tag of option._zod.propValues?.[discriminator] ?? []) members.set(tag, fits)
  }
  return (value) => isObject(value) && (members.get(value[discriminator]) ?? never)(value)
}
