import { parseDocument, type Scalar, visit } from 'yaml'

/** A file's value as PyYAML's `safe_load` gives it, and whether that could be read. */
export type ReadYaml = { ok: true; value: unknown } | { ok: false; text: string }

/**
 * Reads YAML as PyYAML does, by which the first Terminal-Bench reads its tasks: plain words are what PyYAML takes them for, of a key that comes twice the later
 * one counts. Dates stay texts. Never throws.
 */
export function readPythonYaml(text: string): ReadYaml {
  const document = parseDocument(text, { schema: 'failsafe', merge: true, uniqueKeys: false, logLevel: 'silent' })
  const [error] = document.errors
  if (error) return { ok: false, text: error.message.split('\n')[0] ?? 'it is no YAML' }
  visit(document, {
    Scalar(role, node) {
      // The library ends a block that the file's end cuts off with a newline; PyYAML does not.
      const cut = node.type?.startsWith('BLOCK') && node.range?.[1] === text.length && !text.endsWith('\n')
      if (cut && typeof node.value === 'string' && node.value.endsWith('\n')) node.value = node.value.slice(0, -1)
      if (role !== 'key' && node.type === 'PLAIN' && node.tag === undefined) node.value = plainValue(node)
    },
  })
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: 1000 }) }
  } catch (cause) {
    return { ok: false, text: (cause as Error).message }
  }
}

const yes = /^(?:yes|Yes|YES|true|True|TRUE|on|On|ON)$/
const no = /^(?:no|No|NO|false|False|FALSE|off|Off|OFF)$/
const nothing = /^(?:~|null|Null|NULL|)$/
const integer = /^[-+]?(?:0|[1-9][\d_]*)$/
const otherBase = /^([-+]?)0(?:b([01_]+)|x([\da-fA-F_]+)|([0-7_]+))$/
/** PyYAML's floats have a point, and a sign in the exponent. */
const float = /^[-+]?(?:\d[\d_]*\.[\d_]*|\.\d[\d_]*)(?:[eE][-+]\d+)?$/

/** What PyYAML takes a plain word for: truth, nothing, a number, else a text. */
function plainValue({ value }: Scalar): unknown {
  if (typeof value !== 'string') return value
  if (yes.test(value)) return true
  if (no.test(value)) return false
  if (nothing.test(value)) return null
  if (integer.test(value) || float.test(value)) return Number(value.replaceAll('_', ''))
  const [, sign = '', binary, hexadecimal, octal] = otherBase.exec(value) ?? []
  const digits = binary ?? hexadecimal ?? octal
  if (digits === undefined) return value
  return (sign === '-' ? -1 : 1) * Number.parseInt(digits.replaceAll('_', ''), binary ? 2 : hexadecimal ? 16 : 8)
}
