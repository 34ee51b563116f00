import { lineAt, type Node, type Source, type Violation, visit } from './source-tree.ts'

const specPath = 'shared/SPEC.md'
const ruleLine = /^- \*\*([A-Z]+\d+)\*\* \S.*[.!?)`]$/
const titleStart = /^(?:\[[A-Z]+\d+(?:, ?[A-Z]+\d+)*\] ?)+\S/

type Title = { text: string; dynamic: boolean; path: string; line: number }

/** Rules without a test, tests without a rule, rules that are given twice or not written as `- **ID** sentence.` */
export function checkSpec(spec: string, sources: readonly Source[]): Violation[] {
  const rules = new Map<string, number>()
  const violations: Violation[] = []
  for (const [index, line] of spec.split('\n').entries()) {
    if (!/^\s*[-*] \*\*/.test(line)) continue
    const id = ruleLine.exec(line)?.[1]
    const message =
      id === undefined ? `not a rule of the form "- **ID** sentence.": ${line}` : rules.has(id) ? `${id} is given twice` : undefined
    if (message !== undefined) violations.push({ path: specPath, line: index + 1, message })
    if (id !== undefined) rules.set(id, index + 1)
  }
  const tested = new Set<string>()
  for (const source of sources.filter((one) => /\.(test|contract)\.tsx?$/.test(one.path))) {
    for (const id of suiteRules(source)) tested.add(id)
    for (const title of titlesOf(source)) violations.push(...checkTitle(title, rules, tested))
  }
  const untested = [...rules].filter(([id]) => !tested.has(id))
  return [...violations, ...untested.map(([id, line]) => ({ path: specPath, line, message: `${id} has no test` }))]
}

function checkTitle(title: Title, rules: ReadonlyMap<string, number>, tested: Set<string>): Violation[] {
  const { path, line, text } = title
  if (title.dynamic && text.startsWith('[') && !text.includes(']')) return []
  if (!titleStart.test(title.dynamic ? `${text}x` : text))
    return [{ path, line, message: `the title does not start with the id of a rule: ${text}` }]
  const head = /^(?:\[[^\]]*\] ?)+/.exec(text)?.[0] ?? ''
  const ids = head.match(/[A-Z]+\d+/g) ?? []
  for (const id of ids) tested.add(id)
  return ids.filter((id) => !rules.has(id)).map((id) => ({ path, line, message: `${id} is no rule of ${specPath}` }))
}

/** Titles of `test(…)` and `it(…)`, also behind `.each`, `.skipIf` and the like; computed ones are given up to their first computed part. */
function titlesOf({ program, path, text }: Source): Title[] {
  const titles: Title[] = []
  visit(program, (node) => {
    if (node.type !== 'CallExpression' || !isTestCall(node.callee as Node)) return
    const first = (node.arguments as Node[])[0]
    const line = lineAt(text, node.start)
    if (first?.type === 'Literal' && typeof first.value === 'string') titles.push({ text: first.value, dynamic: false, path, line })
    else if (first?.type === 'TemplateLiteral') {
      const [quasi] = first.quasis as { value: { cooked: string } }[]
      titles.push({ text: quasi?.value.cooked ?? '', dynamic: (first.expressions as Node[]).length > 0, path, line })
    } else if (first !== undefined && (node.arguments as Node[]).length > 1) titles.push({ text: '(computed)', dynamic: false, path, line })
  })
  return titles
}

/** `test`, `test.skip`, `test.each(…)`, `test.skipIf(…)`, but not the inner calls whose result is called again. */
function isTestCall(callee: Node): boolean {
  if (callee.type === 'Identifier') return callee.name === 'test' || callee.name === 'it'
  if (callee.type === 'MemberExpression') return isTestCall(callee.object as Node) && !isConfiguring(callee)
  if (callee.type === 'TaggedTemplateExpression') return isTestCall((callee.tag as { object?: Node }).object ?? callee)
  if (callee.type !== 'CallExpression') return false
  const inner = callee.callee as Node
  return inner.type === 'MemberExpression' && isConfiguring(inner) && isTestCall(inner.object as Node)
}

function isConfiguring(member: Node): boolean {
  const name = (member.property as { name?: string }).name ?? ''
  return [
    'each',
    'for',
    'skipIf',
    'runIf',
    'extend',
    'describe',
    'beforeEach',
    'afterEach',
    'beforeAll',
    'afterAll',
    'step',
    'use',
  ].includes(name)
}

/** A contract suite is a list of `{ rule, name, check }`; every implementation's test runs it under a computed title. */
function suiteRules({ program }: Source): string[] {
  const rules: string[] = []
  visit(program, (node) => {
    if (node.type !== 'Property' || (node.key as { name?: string }).name !== 'rule') return
    const { value } = node.value as { value?: unknown }
    if (typeof value === 'string' && /^[A-Z]+\d+$/.test(value)) rules.push(value)
  })
  return rules
}
