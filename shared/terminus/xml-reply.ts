import { readFloat } from '../python/number.ts'
import { countOf, pySpace, pyWord, splitSpace, strip } from '../python/text.ts'
import { joinedWarning, listed, type Reply, type ReplyCommand, unreadable } from './reply.ts'

const [opening, closing] = ['<response>', '</response>']
const required = ['analysis', 'plan', 'commands'] as const
const sections = [...required, 'task_complete'] as const
type Section = (typeof sections)[number]

const space = `[${pySpace}]`
const completed = new RegExp(`<task_complete>${space}*true${space}*</task_complete>`, 'iu')
const keystrokes = /<keystrokes([^>]*)>(.*?)<\/keystrokes>/gsu
const durationGiven = new RegExp(`duration${space}*=${space}*["']([^"']*)["']`, 'u')
const unquoted = new RegExp(`([${pyWord}]+)${space}*=${space}*([^"'${pySpace}>]+)`, 'gu')
const singleQuoted = new RegExp(`([${pyWord}]+)${space}*=${space}*'([^']*)'`, 'gu')
const attribute = new RegExp(`([${pyWord}]+)${space}*=`, 'gu')
const entities = { '&lt;': '<', '&gt;': '>', '&amp;': '&', '&quot;': '"', '&apos;': "'" } as const
const emptyCommands =
  "Commands section is empty; not taking any action. If you want to wait a specific amount of time please use `sleep`, but if you're waiting for a command to finish then continue to wait."

/**
 * Reads a reply in terminus-2's XML form, as Harbor 0.25.0 does and with its texts: sections are found by their tags, keys are taken as they stand. A
 * reply without `</response>` is read to its end. Total; a tag of nothing but spaces, at which Harbor ends with an exception, is an unknown tag.
 */
export function parseXmlReply(text: string): Reply {
  const warnings: string[] = []
  checkAround(text, warnings)
  const content = responseOf(text)
  if (!content) return unreadable('No <response> tag found', warnings)
  const complete = completed.test(content)
  const found = findSections(content)
  checkSections(content, found, warnings)
  const inner = found.get('commands')
  const missing = inner === undefined && !complete
  if (inner === '' && !complete) warnings.push(emptyCommands)
  const commands = inner ? readCommands(inner, warnings) : []
  return {
    commands,
    complete,
    error: missing ? 'Missing <commands> section' : '',
    warning: listed(warnings),
    analysis: found.get('analysis') ?? '',
    plan: found.get('plan') ?? '',
  }
}

/**
 * What can be used of a reply that was cut at the output limit: up to the `</response>` behind its first commands, where that reads without an
 * error and holds one block only; else null.
 */
export function salvageXml(text: string): string | null {
  const commands = text.indexOf('</commands>')
  const end = commands < 0 ? -1 : text.indexOf(closing, commands)
  if (end < 0) return null
  const whole = text.slice(0, end + closing.length)
  const { error, warning } = parseXmlReply(whole)
  const said = warning.toLowerCase()
  return error || (said.includes('only issue one') && said.includes('block at a time')) ? null : whole
}

function checkAround(text: string, warnings: string[]): void {
  const start = text.indexOf(opening)
  if (start < 0) return
  if (strip(text.slice(0, start))) warnings.push('Extra text detected before <response> tag')
  const end = text.indexOf(closing)
  if (end < 0 || !strip(text.slice(end + closing.length))) return
  warnings.push('Extra text detected after </response> tag')
  const count = countOf(text, opening)
  if (count > 1) warnings.push(`IMPORTANT: Only issue one <response> block at a time. You issued ${count} and only the first was executed.`)
}

function responseOf(text: string): string {
  const start = text.indexOf(opening)
  if (start < 0) return ''
  const end = text.indexOf(closing, start)
  return strip(text.slice(start + opening.length, end < 0 ? undefined : end))
}

function findSections(content: string): Map<Section, string> {
  const found = new Map<Section, string>()
  for (const name of sections) {
    const start = content.indexOf(`<${name}>`)
    const end = start < 0 ? -1 : content.indexOf(`</${name}>`, start + name.length + 2)
    if (end >= 0) found.set(name, strip(content.slice(start + name.length + 2, end)))
    else if (new RegExp(`<${name}${space}*/>`, 'u').test(content)) found.set(name, '')
  }
  return found
}

function checkSections(content: string, found: ReadonlyMap<Section, string>, warnings: string[]): void {
  for (const name of required) if (!found.has(name)) warnings.push(`Missing <${name}> section`)
  for (const tag of new Set(topLevelTags(content)))
    if (!(sections as readonly string[]).includes(tag))
      warnings.push(`Unknown tag found: <${tag}>, expected analysis/plan/commands/task_complete`)
  for (const name of sections) {
    const count = content.match(new RegExp(tagOf(name), 'gu'))?.length ?? 0
    if (count <= 1) continue
    const many = `IMPORTANT: Only issue one <commands> block at a time. You issued ${count} and only the first was executed.`
    warnings.push(name === 'commands' ? many : `Multiple <${name}> sections found`)
  }
  checkOrder(content, warnings)
}

const tagOf = (name: string): string => `<${name}(?:${space}|>|/>)`

/** Names of the tags that stand in no other; a closing tag closes whatever is open. */
function topLevelTags(content: string): string[] {
  const tags: string[] = []
  let depth = 0
  for (let start = content.indexOf('<'); start >= 0; ) {
    const end = content.indexOf('>', start)
    if (end < 0) break
    const tag = content.slice(start + 1, end)
    start = content.indexOf('<', end + 1)
    if (tag.startsWith('!') || tag.startsWith('?')) continue
    if (tag.startsWith('/')) {
      depth--
      continue
    }
    const name = tag.includes(' ') ? (splitSpace(tag)[0] ?? '') : tag
    if (depth === 0) tags.push(name.endsWith('/') ? name.slice(0, -1) : name)
    if (!tag.endsWith('/')) depth++
  }
  return tags
}

function checkOrder(content: string, warnings: string[]): void {
  const places = required.flatMap((name) => {
    const at = content.search(new RegExp(tagOf(name), 'u'))
    return at < 0 ? [] : [{ name, at }]
  })
  const found = places.toSorted((a, b) => a.at - b.at)
  if (found.every(({ name }, index) => name === places[index]!.name)) return
  const arrows = (list: typeof places) => list.map(({ name }) => name).join(' → ')
  warnings.push(`Sections appear in wrong order. Found: ${arrows(found)}, expected: ${arrows(places)}`)
}

function readCommands(content: string, warnings: string[]): ReplyCommand[] {
  const matches = [...content.matchAll(keystrokes)]
  const commands = matches.map(([, attributes = '', keys = ''], index) => {
    const name = `Command ${index + 1}`
    checkAttributes(attributes, name, warnings)
    const duration_sec = readDuration(attributes, name, warnings)
    if (index < matches.length - 1 && !keys.endsWith('\n')) warnings.push(`${name} ${joinedWarning}`)
    return { keystrokes: keys, duration_sec }
  })
  for (const [entity, sign] of Object.entries(entities))
    if (content.includes(entity))
      warnings.push(
        `Warning: ${entity} is read verbatim and not converted to ${sign}. NEVER USE ${entity}, unless you want these exact characters to appear directly in the output.`,
      )
  if (content.includes('\\r\\n')) warnings.push('Warning: \\r\\n line endings are not necessary - use \\n instead for simpler output')
  return commands
}

function checkAttributes(attributes: string, name: string, warnings: string[]): void {
  for (const [, key, value] of attributes.matchAll(unquoted))
    warnings.push(`${name}: Attribute '${key}' value should be quoted: ${key}="${value}"`)
  for (const [, key, value] of attributes.matchAll(singleQuoted))
    warnings.push(`${name}: Use double quotes for attribute '${key}': ${key}="${value}"`)
  for (const [, key] of attributes.matchAll(attribute))
    if (key !== 'duration') warnings.push(`${name}: Unknown attribute '${key}' - known attributes are: duration`)
}

function readDuration(attributes: string, name: string, warnings: string[]): number {
  const given = durationGiven.exec(attributes)?.[1]
  const duration = given === undefined ? null : readFloat(given)
  if (given === undefined) warnings.push(`${name}: Missing duration attribute, using default 1.0`)
  else if (duration === null) warnings.push(`${name}: Invalid duration value '${given}', using default 1.0`)
  return duration ?? 1
}
