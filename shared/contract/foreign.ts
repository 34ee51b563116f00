import * as z from 'zod'

/** Who wrote the words of a field that is not ours. */
export type ForeignSource = 'provider' | 'data-set' | 'model' | 'agent'

/**
 * The one list of fields whose words somebody else wrote: whoever adds such a field to a contract makes it with `foreign`, and every
 * surface withholds it by that. A test walks all contracts of the API and fails over a free text that is neither here nor ours.
 */
const fields = z.registry<{ from: ForeignSource }>()

/** Marks a field as words of others: they may quote an item, so that only those who may read the items read them. */
export function foreign<S extends z.ZodType>(from: ForeignSource, schema: S): S {
  fields.add(schema, { from })
  return schema
}

/** Who writes this field, or undefined for one of our own. */
export function foreignSource(schema: z.core.$ZodType): ForeignSource | undefined {
  return fields.get(schema as z.ZodType)?.from // any schema may be asked for in a registry
}

/** What stands in place of a text that is withheld. */
export const withheldText = 'Withheld: these words may quote an item of a gated data set.'

type Withhold = (value: unknown) => unknown

/**
 * Makes the function that takes the words of others out of values of this schema: a text becomes the sentence that says so, all else null.
 * Everything else stays the very same object. Values must fit the schema; what it does not name is not looked at.
 */
export function withholdForeign<S extends z.ZodType>(schema: S): (value: z.output<S>) => z.output<S> {
  const withhold = compile(schema)
  return (value) => (withhold ? withhold(value) : value) as z.output<S> // the same shape: only foreign fields change
}

/** Undefined where nothing below is foreign. */
function compile(schema: z.core.$ZodType): Withhold | undefined {
  if (foreignSource(schema)) return blank(schema)
  const { def } = (schema as z.core.$ZodTypes)._zod // the closed union of zod's own kinds
  switch (def.type) {
    case 'nullable':
    case 'optional':
    case 'default':
    case 'readonly': {
      const inner = compile(def.innerType)
      return inner && ((value) => (value == null ? value : inner(value)))
    }
    case 'array': {
      const each = compile(def.element)
      return each && ((value) => (value as unknown[]).map(each))
    }
    case 'record': {
      const each = compile(def.valueType)
      return each && ((value) => Object.fromEntries(Object.entries(value as object).map(([name, one]) => [name, each(one)])))
    }
    case 'object':
      return inObject(def.shape)
    case 'union':
      return inUnion(def.options, 'discriminator' in def ? (def.discriminator as string) : undefined) // zod types it on the discriminated kind only
    default:
      return undefined
  }
}

/** A text is replaced by the sentence, or by null where the field takes it, so that nobody takes the sentence for an answer. */
function blank(schema: z.core.$ZodType): Withhold {
  const takesNull = z.safeParse(schema, null).success
  const takesNothing = z.safeParse(schema, {}).success ? {} : []
  return (value) => (value === null || takesNull ? null : typeof value === 'string' ? withheldText : takesNothing)
}

function inObject(shape: Readonly<Record<string, z.core.$ZodType>>): Withhold | undefined {
  const inner = Object.entries(shape).flatMap(([name, field]): [string, Withhold][] => {
    const withhold = compile(field)
    return withhold ? [[name, withhold]] : []
  })
  if (inner.length === 0) return undefined
  return (value) => {
    const changed = { ...(value as Record<string, unknown>) }
    for (const [name, withhold] of inner) if (changed[name] !== undefined) changed[name] = withhold(changed[name])
    return changed
  }
}

/** The member that a value fits is found by its discriminator, else by parsing it. */
function inUnion(options: readonly z.core.$ZodType[], discriminator: string | undefined): Withhold | undefined {
  const members = options.map((option) => {
    const { def } = (option as z.core.$ZodTypes)._zod // the closed union of zod's own kinds
    return { option, withhold: compile(option), tag: discriminator && def.type === 'object' ? def.shape[discriminator] : undefined }
  })
  if (members.every(({ withhold }) => withhold === undefined)) return undefined
  return (value) => {
    const tag = discriminator ? (value as Record<string, unknown>)[discriminator] : undefined
    const member = members.find((one) => z.safeParse(one.tag ?? one.option, one.tag ? tag : value).success)
    return member?.withhold ? member.withhold(value) : value
  }
}
