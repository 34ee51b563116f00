import { parseAst } from 'rolldown/parseAst'
import { lineAt, type Node, visit } from '../architecture/source-tree.ts'

/** The kinds of small bugs that are planted. */
export const operators = [
  'boundary',
  'equality',
  'logical',
  'condition',
  'negation',
  'guard',
  'arithmetic',
  'extreme',
  'statement',
  'number',
  'boolean',
  'method',
  'optional',
] as const
export type Operator = (typeof operators)[number]

/** One planted bug: the text between two offsets of a file becomes another. `before` and `after` are its line as it was and as it becomes. */
export type Mutant = {
  path: string
  operator: Operator | 'named'
  start: number
  end: number
  text: string
  line: number
  before: string
  after: string
}

type Change = { operator: Operator; node: { start: number; end: number }; text: string }
type Look = (node: Node, source: string) => Change[]

const swaps: Record<string, readonly [Operator, string]> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['equality', '!=='],
  '!==': ['equality', '==='],
  '&&': ['logical', '||'],
  '||': ['logical', '&&'],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left as Node) || isText(node.right as Node)))

/** `a OP b` with another operator; an operator between texts joins them and is left alone. */
const swap: Look = (node, source) => {
  const [operator, text] = swaps[node.operator as string] ?? []
  const [left, right] = [node.left as Node, node.right as Node]
  if (!operator || text === undefined || (operator === 'arithmetic' && (isText(left) || isText(right)))) return []
  const at = source.indexOf(node.operator as string, left.end)
  return [{ operator, node: { start: at, end: at + (node.operator as string).length }, text }]
}

const decided: Look = ({ test }) => ['true', 'false'].map((text) => ({ operator: 'condition', node: test as Node, text }))

/** `if (…) return` without its `if` is what the operator `guard` is for: its condition is then false. */
const ifs: Look = (node, source) => {
  const body = node.consequent as Node
  const leaves = ['ReturnStatement', 'ContinueStatement', 'BreakStatement', 'ThrowStatement'].includes(body.type)
  if (!leaves || node.alternate) return decided(node, source)
  return [{ operator: 'guard', node: { start: node.start, end: node.end }, text: ';' }]
}

/** Lines for people only: nothing but their words depends on them. */
const tells = /^(?:void )?(?:console|options\.log|log|io\.err|io\.out)\b/

const removed: Look = (node, source) => {
  const text = source.slice(node.start, node.end)
  const { type } = node.expression as Node
  const acts = ['CallExpression', 'AwaitExpression', 'AssignmentExpression', 'UpdateExpression', 'UnaryExpression', 'ChainExpression']
  return acts.includes(type) && !tells.test(text) && !text.startsWith('super') ? [{ operator: 'statement', node, text: ';' }] : []
}

const literal: Look = (node) => {
  if (typeof node.value === 'boolean') return [{ operator: 'boolean', node, text: String(!node.value) }]
  if (typeof node.value === 'number') return [{ operator: 'number', node, text: node.value === 0 ? '1' : '0' }]
  return []
}

const dropped = new Set(['filter', 'sort', 'slice', 'splice', 'reverse', 'toSorted'])

/** `Math.min` and `Math.max` change places; what narrows or orders a list is left out. */
const calls: Look = (node, source) => {
  const callee = node.callee as Node
  if (callee.type !== 'MemberExpression') return []
  const [object, property] = [callee.object as Node, callee.property as Node]
  const name = source.slice(property.start, property.end)
  if (source.slice(object.start, object.end) === 'Math' && (name === 'min' || name === 'max'))
    return [{ operator: 'extreme', node: property, text: name === 'min' ? 'max' : 'min' }]
  // From the dot on: the object may stand in brackets, which end behind it.
  const dot = source.lastIndexOf('.', property.start)
  const start = source[dot - 1] === '?' ? dot - 1 : dot
  return dropped.has(name) ? [{ operator: 'method', node: { start, end: node.end }, text: '' }] : []
}

const member: Look = (node, source) =>
  node.optional === true && source.startsWith('?.', (node.object as Node).end) && node.computed !== true
    ? [{ operator: 'optional', node: { start: (node.object as Node).end, end: (node.object as Node).end + 2 }, text: '.' }]
    : []

const looks: Record<string, Look> = {
  BinaryExpression: swap,
  LogicalExpression: swap,
  AssignmentExpression: swap,
  IfStatement: ifs,
  ConditionalExpression: decided,
  UnaryExpression: (node) =>
    node.operator === '!' ? [{ operator: 'negation', node: { start: node.start, end: node.start + 1 }, text: '' }] : [],
  ExpressionStatement: removed,
  Literal: literal,
  CallExpression: calls,
  MemberExpression: member,
}

/** Every mutant that the operators find in a file, in the order of its text; a change that spans lines is left out, but for a statement. */
export function mutantsOf(path: string, source: string): Mutant[] {
  const program = parseAst(source, { lang: 'ts' }) as unknown as Node // as in source-tree.ts
  const changes: Change[] = []
  const skipped: Node[] = []
  visit(program, (node) => {
    // Types are gone when the code runs, and what an import names is checked when it loads.
    if (node.type.startsWith('TS') && !/^TS(?:NonNull|As|Satisfies)/.test(node.type)) skipped.push(node)
    if (node.type === 'ImportDeclaration' || node.type.startsWith('Export')) return
    changes.push(...(looks[node.type]?.(node, source) ?? []))
  })
  const mutants = changes
    .filter(({ node }) => !skipped.some((type) => node.start >= type.start && node.end <= type.end))
    .filter(
      ({ operator, node }) => ['statement', 'guard', 'method'].includes(operator) || !source.slice(node.start, node.end).includes('\n'),
    )
    .map(({ operator, node, text }) => toMutant(path, source, operator, node.start, node.end, text))
  return mutants.filter(({ before, after }) => before !== after).sort((a, b) => a.start - b.start || (a.text < b.text ? -1 : 1))
}

/** A mutant with the line it stands in, before and after. */
export function toMutant(path: string, source: string, operator: Mutant['operator'], start: number, end: number, text: string): Mutant {
  const from = source.lastIndexOf('\n', start - 1) + 1
  const newline = source.indexOf('\n', end)
  const to = newline === -1 ? source.length : newline
  const oneLine = (part: string) => part.replaceAll(/\s+/g, ' ').trim()
  const before = oneLine(source.slice(from, to))
  const after = oneLine(source.slice(from, start) + text + source.slice(end, to))
  return { path, operator, start, end, text, line: lineAt(source, start), before, after }
}

/** The file with the bug in it. */
export function plant(source: string, { start, end, text }: Pick<Mutant, 'start' | 'end' | 'text'>): string {
  return source.slice(0, start) + text + source.slice(end)
}
