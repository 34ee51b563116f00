import type { Tool } from '../contract/message.ts'
import type { ToolFunction } from './agent-tools.ts'
import { apnNames, networkModes } from './phone.ts'
import { classDocstring, cleanDoc, fieldDescriptions, methodDocstring, readToolDoc } from './tool-docs.ts'

type Schema = Tool['parameters']

/** Parameters that are no text, by name. */
const plainTypes: Readonly<Record<string, Schema>> = {
  limit: { default: 12, type: 'integer' },
  gb_amount: { type: 'number' },
}

/** `a_name` as pydantic titles it: `A Name`. */
const titleOf = (name: string): string =>
  name
    .split('_')
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join(' ')

const enumeration = (title: string, values: readonly string[]): Schema => ({ title, type: 'string', enum: [...values] })
const maybe = (type: string, otherwise: string | null): Schema => ({ anyOf: [{ type }, { type: 'null' }], default: otherwise })

/** The model of the access point's settings; how it is described stands in the pinned file of the model. */
function apnSchema(model: string): Schema {
  const told = fieldDescriptions(model, 'APNSettings')
  const described = (name: string, schema: Schema): [string, Schema] => [name, { ...schema, description: told.get(name) ?? '' }]
  const titled = (name: string, schema: Schema) => described(name, { ...schema, title: titleOf(name) })
  return {
    title: 'APNSettings',
    type: 'object',
    description: cleanDoc(classDocstring(model, 'APNSettings')),
    properties: Object.fromEntries([
      described('apn_name', { $ref: '#/$defs/APNNames', default: 'internet' }),
      titled('reset_at_reboot', { type: 'boolean', default: false }),
      titled('mms_apn', maybe('string', 'mms')),
      titled('mmsc_url', maybe('string', 'http://mms.carrier.com/mms/wapenc')),
      titled('mms_proxy', maybe('string', null)),
      titled('mms_port', maybe('integer', null)),
    ]),
    additionalProperties: false,
  }
}

/** Parameters that may be one of several things, with the definitions that these are called by. */
type Union = { type: Schema; definitions: Schema }
const unions: Readonly<Record<string, (model: string) => Union>> = {
  mode: (): Union => ({
    type: { anyOf: [{ $ref: '#/$defs/NetworkModePreference' }, { type: 'string' }] },
    definitions: { NetworkModePreference: enumeration('NetworkModePreference', networkModes) },
  }),
  apn_settings: (model): Union => ({
    type: { anyOf: [{ $ref: '#/$defs/APNSettings' }, { type: 'object', additionalProperties: true }] },
    definitions: { APNNames: enumeration('APNNames', apnNames), APNSettings: apnSchema(model) },
  }),
}

/**
 * Tools as models are told of them: names and parameters of ours, descriptions from the docstrings of the pinned file. Keys stand in pydantic's order.
 * `model`: the file that describes what parameters refer to. Throws `NoToolDoc`. Source: tau2-bench, `src/tau2/environment/tool.py`.
 */
export function toolSchemas(tools: Readonly<Record<string, ToolFunction>>, source: string, model: string): Tool[] {
  return Object.entries(tools).map(([name, { parameters }]) => {
    const doc = readToolDoc(methodDocstring(source, name))
    const found = parameters.map(({ name: parameter }) => unions[parameter]?.(model))
    const properties = parameters.map(({ name: parameter }, index): [string, Schema] => {
      const type = found[index]?.type ?? plainTypes[parameter] ?? { type: 'string' }
      const description = doc.parameters.get(parameter)
      return [parameter, { ...type, title: titleOf(parameter), ...(description === undefined ? {} : { description }) }]
    })
    const definitions: Schema = Object.assign({}, ...found.map((union) => union?.definitions))
    const required = parameters.filter(({ otherwise }) => otherwise === undefined).map((parameter) => parameter.name)
    const schema: Schema = { title: 'parameters', type: 'object', properties: Object.fromEntries(properties) }
    if (Object.keys(definitions).length > 0) schema.$defs = definitions
    if (required.length > 0) schema.required = required
    return { name, description: doc.description, parameters: inOrder(schema) }
  })
}

/** Keys in alphabetical order, only properties in their own. */
function inOrder(schema: Schema): Schema {
  const sorted = (value: Schema[string]): Schema[string] =>
    Array.isArray(value) ? value.map(sorted) : typeof value === 'object' && value !== null ? inOrder(value) : value
  const entries = Object.entries(schema).map(([key, value]): [string, Schema[string]] => {
    if (key !== 'properties' || typeof value !== 'object' || value === null || Array.isArray(value)) return [key, sorted(value)]
    return [key, Object.fromEntries(Object.entries(value).map(([name, property]) => [name, sorted(property)]))]
  })
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
