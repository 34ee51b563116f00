import { bugsOf, type RuleBug } from './rule-bug.ts'

const tau = (name: string): string => `shared/tau2/${name}.ts`
const telecom = tau('telecom.test')
const golden = tau('golden.test')
const apn = tau('check-apn-settings.test')
const dialogue = tau('solve-dialogue.test')
const parity = 'prove/parity/compare-tau2.test.ts'

const worlds: readonly RuleBug[] = [
  ...bugsOf('TAU1', tau('telecom'), golden, [
    'content: `Error: ${error.message}`, error: true',
    'content: `Error: ${error.message}`, error: false',
  ]),
  ...bugsOf(
    'TAU2',
    tau('python-values'),
    telecom,
    [
      "typeof value === 'bigint') return String(value)\n  if (typeof value === 'number') return jsonFloat",
      "typeof value === 'bigint') return `${value}.0`\n  if (typeof value === 'number') return jsonFloat",
    ],
    ['halves % 4n === 3n ? 1n : 0n', 'halves % 2n'],
    ['/[\\u007f-\\uffff]/g', '/[\\u0fff-\\uffff]/g'],
  ),
  ...bugsOf(
    'TAU3',
    tau('call-function'),
    telecom,
    ["slice(0, -1).join(', ')}, and", "slice(0, -1).join(', ')} and"],
    ["if (given.has('requestor'))", 'if (false)'],
    ['throw new PythonError(`${owner}.${name}() got an unexpected', 'throw new Error(`${owner}.${name}() got an unexpected'],
  ),
  ...bugsOf(
    'TAU4',
    tau('check-apn-settings'),
    apn,
    ['text.length > 4300', 'text.length > 9999'],
    ['whole === 0n || whole === 1n ?', 'whole === whole ?'],
    ['/\\p{Cs}/u.test(value)', 'false'],
    ['wrong.splice(0, wrong.length, refusalText', 'wrong.push(refusalText'],
    ["name === undefined ? { refused: 'enum' } : { value: name }", "{ value: name ?? 'INTERNET' }"],
  ),
  ...bugsOf(
    'TAU5',
    tau('tool-docs'),
    tau('tool-docs.test'),
    ['? `${short}\\n\\n${long}`', '? `${short}\\n${long}`'],
    ['([\\\\s\\\\S]*?)(?=^\\\\S)', '([\\\\s\\\\S]*)(?=^\\\\S)'],
  ),
  ...bugsOf(
    'TAU5',
    tau('tool-docs'),
    telecom,
    ["if (text.includes('\\\\')) throw", 'if (false) throw'],
    ['if (text === undefined) throw', "if (text === undefined) return ''\n  if (false) throw"],
  ),
  ...bugsOf(
    'TAU6',
    tau('company'),
    telecom,
    ['data_refueling_gb: float(0)', 'data_refueling_gb: float(1)'],
    ['const Plan = z.strictObject({', 'const Plan = z.looseObject({'],
  ),
  ...bugsOf(
    'TAU7',
    tau('sync-telecom'),
    telecom,
    ["surroundings.line_active = line.status === 'Active'", ''],
    ["status = 'Paid'", "status = 'Issued'"],
    ['>= plan.data_limit_gb + line.data_refueling_gb', '> plan.data_limit_gb + line.data_refueling_gb'],
    ['surroundings.payment_request = null', ''],
  ),
  ...bugsOf(
    'TAU8',
    tau('telecom'),
    telecom,
    ['return came === assertion.value', 'return came'],
    ["if (typeof came !== 'boolean') throw", 'if (false) throw'],
    ['toolOf(party, name)?.changes ?? false', 'toolOf(party, name) !== undefined'],
  ),
  ...bugsOf(
    'TAU9',
    tau('telecom'),
    telecom,
    ['return () => schema.parse(parsed.table)', 'const made = schema.parse(parsed.table)\n  return () => made'],
    ['billsMade: 0', 'billsMade: Math.floor(Math.random() * 1e6)'],
  ),
  ...bugsOf(
    'TAU10',
    'prove/parity/compare-tau2.ts',
    parity,
    ['shown(came) === shown(beside)', 'came.content === beside.content'],
    ['      break\n', ''],
  ),
  ...bugsOf('TAU11', 'prove/parity/compare-tau2-dialogues.ts', parity, [
    'shown(mine) !== shown(official)',
    'mine.reward !== official.reward',
  ]),
]

const dialogues: readonly RuleBug[] = [
  ...bugsOf(
    'TAU30',
    tau('converse'),
    dialogue,
    ["histories.user.push({ role: 'user', content: greeting })", ''],
    ["{ role: 'user', content: said.text }", "{ role: 'assistant', content: said.text }"],
    ['changesBetween(before, world.state())', '[]'],
    ['messages: [...histories[turn]], tools, params', 'messages: [...histories[turn]], params'],
  ),
  ...bugsOf(
    'TAU30',
    tau('solve-dialogue'),
    dialogue,
    ['seed: facts.seed', 'seed: null'],
    ['seeded(kit.helpers.user?.params)', 'seeded(kit.params)'],
  ),
  ...bugsOf(
    'TAU31',
    tau('converse'),
    dialogue,
    ['call.id ?? `call_${at}_${index}`', 'call.id ?? `call_${at}`'],
    ['if (said.calls.length > 0) continue', ''],
    ["return { role: 'tool', content, tool_call_id: id }", "return { role: 'tool', content, tool_call_id: calls[0]!.id }"],
  ),
  ...bugsOf(
    'TAU32',
    tau('converse'),
    dialogue,
    ['errors >= most.errors', 'errors > most.errors'],
    ["steps >= most.steps ? 'max-steps'", "steps > most.steps ? 'max-steps'"],
    [
      '    if (met) return ended(met)\n    if (said.calls.length > 0) continue',
      "    if (said.calls.length > 0) continue\n    if (met && said.text !== '###STOP###') return ended(met)",
    ],
  ),
  ...bugsOf('TAU32', tau('solve-dialogue'), dialogue, ["played.talk.end === 'user-stop'", 'true']),
  ...bugsOf(
    'TAU33',
    tau('solve-dialogue'),
    dialogue,
    ['const tries = 4', 'const tries = 5'],
    ["at: 'provider', reason: 'bad-response', ...base", "at: 'solver', reason: 'error', ...base"],
    ['if (!(error instanceof WorldBroken)) throw error', 'throw error'],
  ),
  ...bugsOf(
    'TAU33',
    tau('converse'),
    dialogue,
    ["strip(said) === ''", "said === ''"],
    ["if (call.name === null) return 'a call without a name'", ''],
  ),
  ...bugsOf(
    'TAU34',
    tau('evaluate'),
    dialogue,
    ['if (!sameContent(again.content, content)) throw', 'if (false) throw'],
    ['held: world.holds(assertion)', 'held: false'],
  ),
  ...bugsOf(
    'TAU35',
    tau('score-dialogue'),
    dialogue,
    ["evidence.end === 'user-stop' && ", ''],
    ['basis.every((one) => met[one])', 'met.ENV_ASSERTION'],
    ['action.compare ?? made.keys()', 'action.compare ?? wanted.keys()'],
    ['if (call.name !== action.name) return false', ''],
  ),
  ...bugsOf('TAU35', tau('json-values'), dialogue, ['left == right', 'left === right']),
  ...bugsOf(
    'TAU36',
    tau('demo-dialogue'),
    'fleet/dialogue-run.test.ts',
    ['right ? agentTurn(batches, messages) : words(refusal)', 'agentTurn(batches, messages)'],
    ['if (made < actions.length) return call', 'if (made < actions.length - 1) return call'],
  ),
  ...bugsOf('TAU37', tau('prompts'), 'fleet/dataset/tau2.test.ts', [
    "text('main_policy_open'), text('main_policy')",
    "text('main_policy'), text('main_policy_open')",
  ]),
  ...bugsOf(
    'TAU38',
    'web/src/item/evidence/dialogue-exchanges.ts',
    'web/src/item/evidence/dialogue-exchanges.test.ts',
    ['const first = changes.get(key) ?? change', 'const first = change'],
    ['.filter(({ before, after }) => JSON.stringify(before) !== JSON.stringify(after))', ''],
    ['if (call) call.result = turn', ''],
  ),
  ...bugsOf(
    'TAU39',
    tau('changes'),
    tau('changes.test'),
    ['(idOf(is) ?? idOf(was) ?? key)', 'key'],
    [': null // an array', ': undefined as never // an array'],
    ['new Set([...Object.keys(before), ...Object.keys(after)])', 'new Set(Object.keys(after))'],
  ),
]

const reserves: readonly RuleBug[] = [
  ...bugsOf(
    'RUN119',
    'shared/run/reserve.ts',
    'shared/run/reserve.test.ts',
    ['input_tokens: most * input_tokens + grown', 'input_tokens: most * input_tokens'],
    ["role === 'user' ? benchmark.rounds : undefined", 'undefined'],
    ['benchmark.rounds ? 1 : (benchmark.trial_limits?.turns ?? 1)', 'benchmark.trial_limits?.turns ?? 1'],
  ),
  ...bugsOf('RUN119', 'shared/benchmarks/tau2_bench_telecom/task.ts', tau('rounds.test'), ['=> 2 * (card', '=> 3 * (card']),
]

/** Bugs in the lines that carry the rules of tau2's world and dialogues, and of what a budget reserves for them. */
export const tauBugs: readonly RuleBug[] = [...worlds, ...dialogues, ...reserves]
