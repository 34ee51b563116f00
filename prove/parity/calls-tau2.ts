import { agentTools } from '#shared/tau2/agent-tools.ts'
import { dumps, type PyValue, readArguments } from '#shared/tau2/python-values.ts'
import { userTools } from '#shared/tau2/user-tools.ts'
import type { Party, WorldAction, WorldCall } from '#shared/tau2/world.ts'
import { type Draw, seededDraw } from './draw.ts'

/** What both sides read of a task: its beginning, its gold actions and its assertions. */
export type WorldTask = { id: string; begins: WorldAction[]; gold: WorldCall[]; asserts: (WorldAction & { value: boolean })[] }

/** One thing that is done to a world: a call, after which it may be brought into line as the orchestrator does; an action of a task; a question. */
export type WorldStep =
  | { kind: 'call'; call: WorldCall; sync: boolean }
  | { kind: 'act'; action: WorldAction }
  | { kind: 'ask'; assertion: WorldAction & { value: boolean } }
/** A fresh world after the beginning of a task, and what is done to it. */
export type WorldSession = { task: string; begins: WorldAction[]; steps: WorldStep[] }

/** Tasks in tau2-bench's own form, integers and floats kept apart. */
export function readTasks(text: string): WorldTask[] {
  const list = readArguments(`{"tasks": ${text}}`)?.get('tasks')
  if (!Array.isArray(list)) throw new Error('the tasks are no list')
  return list.map((task) => ({
    id: text_(at(task, 'id')),
    begins: items(at(at(task, 'initial_state'), 'initialization_actions')).map(actionOf),
    gold: items(at(at(task, 'evaluation_criteria'), 'actions')).map((action) => ({
      party: partyOf(at(action, 'requestor')),
      name: text_(at(action, 'name')),
      arguments: dumps(at(action, 'arguments')),
    })),
    asserts: items(at(at(task, 'evaluation_criteria'), 'env_assertions')).map((one) => ({
      ...actionOf(one),
      value: at(one, 'assert_value') === true,
    })),
  }))
}

const at = (value: PyValue, key: string): PyValue => (value instanceof Map ? (value.get(key) ?? null) : null)
const items = (value: PyValue): PyValue[] => (Array.isArray(value) ? value : [])
const text_ = (value: PyValue): string => String(value)
const partyOf = (value: PyValue): Party => (value === 'user' ? 'user' : 'assistant')
const actionOf = (one: PyValue): WorldAction => ({
  party: partyOf(at(one, 'env_type')),
  name: text_(at(one, 'func_name')),
  args: dumps(at(one, 'arguments')),
})

const ids = {
  customer_id: ['C1001', 'C1002', 'C1003', 'C9999'],
  line_id: ['L1001', 'L1002', 'L1003', 'L1004', 'L1009', 'L9999'],
  bill_id: ['B1001', 'B1002', 'B1003', 'B1004', 'B1005', 'B1234321', 'B00000001', 'B9999'],
  phone_number: ['555-123-2002', '555-123-2001', '555-123-1003', '555-123-2009', '555-000-0000', '5551232002'],
  full_name: ['John Smith', 'john SMITH', 'Sarah Johnson', 'Jane Doe', 'MICHAEL LEE', '\u212aim'],
  dob: ['1985-06-15', '1990-11-22', '1978-04-30', 'bad'],
  id: ['C1001', 'L1002', 'D1002', 'B1001', 'P1002', 'P9999', 'D9', 'L', 'B', 'Cx', 'X1', '', 'l1002', 'B1234321', 'B00000001'],
  reason: ['asked for it', ''],
  summary: ['It is broken.', 'Ü'],
  app_name: ['messaging', 'browser', 'Messaging', 'camera', 'constructor', '__proto__', ''],
  permission: ['sms', 'storage', 'phone', 'network', 'SMS', 'Storage', 'camera', 'toString', ''],
  mode: ['4g_5g_preferred', '4g_only', '3g_only', '2g_only', '5g_only', '4G_ONLY', ''],
} as const
const numbers = ['2', '2.0', '0.1', '1', '3', '0.5', '2.5', '1e1', '0', '0.0', '-1', '-0.0', '0.125', '0.0625', '1.005', '1e16', '123456789012345678', '1e22', '1e300', '1E400', 'NaN', '1e-7', '5e-324', '2e0', '9007199254740993'] // biome-ignore format: a list of numbers
const limits = ['12', '1', '0', '2', '-1', '-5', '100', '2.0', 'null', 'true', 'false', '99999999999999999999']
const texts = ['', 'x', "it's", 'say "x"', '\'"', 'a\\b', 'line\nbreak\ttab', 'Ünïcode', '日本語', '😀 ok', '\u200b\u00a0', '\u0000\u0007\u007f', 'x'.repeat(60), 'é'.repeat(40), '{"a": 1}', 'True', '2', 'null', '%s {}', '\ud800', 'a\udc00b', '\udc00\ud800', 'é\udfff'.repeat(20)] // biome-ignore format: a list of texts
const keys = ['x', 'self', 'tool_name', 'requestor', 'kwargs', '', 'customer_id', 'Line_Id', 'a.b', 'naïve', 'args', '__class__', 'k\udbff']

/** JSON text of any value. */
function anything(draw: Draw, depth = 0): string {
  const kind = draw.below(depth < 3 ? 9 : 6)
  if (kind === 0) return draw.pick(['null', 'true', 'false'])
  if (kind === 1) return draw.pick(numbers)
  if (kind === 2) return String(draw.between(-1000, 1000))
  if (kind < 6) return JSON.stringify(draw.pick([...texts, ...ids.mode, ...ids.line_id]))
  if (kind === 6) return `[${draw.many(draw.below(4), () => anything(draw, depth + 1)).join(', ')}]`
  return `{${draw.many(draw.below(4), () => `${JSON.stringify(draw.pick([...keys, ...texts]))}: ${anything(draw, depth + 1)}`).join(',')}}`
}

const ports = ['8080', '80.0', '80.5', 'true', '"80"', '" 80 "', '"8_0"', '"+80"', '"80.0"', '"x"', '"-5"', '"0080"', '"8__0"', '"1e3"', '"80."', '"٣"', '1e30', '1e18', 'NaN', '1e400', '99999999999999999999', 'null', '""', '"\u00a080"', '"\\u001f80"', '"0_8"', '"-00"', '"00"', '"0.0"', '"_1"', '"+_1"', '"--1"', '"+ 1"', '"8\\ud8000"'] // biome-ignore format: a list of ports
const switched = ['true', 'false', '1', '0', '1.0', '0.5', '2', '2.0', '"yes"', '"OFF"', '"maybe"', '"tRue"', '" true"', 'null', '[]', '1e30', '99999999999999999999', '-1', '"1"', '"N"', '"ｔ"', '"\u212a"', '"on\\udc00"'] // biome-ignore format: a list of switches
/** JSON text of settings of an access point, good and bad. */
function apnSettings(draw: Draw): string {
  if (draw.chance(0.03)) return anything(draw)
  const entries: string[] = []
  const set = (key: string, values: () => string) => draw.chance(0.4) && entries.push(`${JSON.stringify(key)}: ${values()}`)
  const text = () => draw.pick(['"mms"', 'null', '""', '"http://x"', anything(draw)])
  set('apn_name', () =>
    draw.pick(['"internet"', '"internet"', '"internet"', '"broken"', '"INTERNET"', '"internet\\ud800"', anything(draw)]),
  )
  set('reset_at_reboot', () => draw.pick(switched))
  for (const key of ['mms_apn', 'mmsc_url', 'mms_proxy']) set(key, text)
  set('mms_port', () => draw.pick(ports))
  if (draw.chance(0.15)) entries.push(`${JSON.stringify(draw.pick([...keys, ...texts]))}: ${anything(draw)}`)
  return `{${draw.shuffled(entries).join(', ')}}`
}

function valueFor(draw: Draw, parameter: string): string {
  if (draw.chance(0.08)) return anything(draw)
  if (parameter === 'gb_amount') return draw.pick(numbers)
  if (parameter === 'limit') return draw.pick(limits)
  if (parameter === 'apn_settings') return apnSettings(draw)
  const known: readonly string[] = Object.hasOwn(ids, parameter) ? ids[parameter as keyof typeof ids] : texts
  // The customer and the line of the task are what models ask about most.
  if (draw.chance(0.5) && (parameter === 'customer_id' || parameter === 'line_id')) return parameter === 'line_id' ? '"L1002"' : '"C1001"'
  return JSON.stringify(draw.pick(known))
}

const tools = { assistant: agentTools, user: userTools }
export function randomCall(draw: Draw): WorldCall {
  const party: Party = draw.chance(0.5) ? 'assistant' : 'user'
  const own = Object.keys(tools[party])
  const other = Object.keys(tools[party === 'user' ? 'assistant' : 'user'])
  const strange = ['', 'no_such_tool', 'constructor', '__init__', 'turn_data_on', 'Toggle_Data', 'naïve', "it's", ...other]
  const name = draw.chance(0.95) ? draw.pick(own) : draw.pick(strange)
  const parameters = tools[party][name]?.parameters ?? [{ name: 'x' }]
  const given = parameters.filter(({ otherwise }) => !draw.chance(otherwise === undefined ? 0.04 : 0.5))
  const entries = given.map((parameter) => `${JSON.stringify(parameter.name)}: ${valueFor(draw, parameter.name)}`)
  while (draw.chance(0.04)) entries.push(`${JSON.stringify(draw.pick(keys))}: ${anything(draw)}`)
  if (draw.chance(0.02)) entries.push(...entries.slice(0, 1))
  return { party, name, arguments: `{${draw.shuffled(entries).join(draw.pick([', ', ',']))}}` }
}

const asserted: readonly [Party, string, string[]][] = [
  ['assistant', 'assert_data_refueling_amount', ['"customer_id": "C1001", "line_id": "L1002", "expected_amount": 2.0', '"customer_id": "C1001", "line_id": "L1002", "expected_amount": 0']], // biome-ignore format: one a line
  ['assistant', 'assert_line_status', ['"customer_id": "C1001", "line_id": "L1002", "expected_status": "Active"', '"customer_id": "C1001", "line_id": "L9999", "expected_status": "Active"']], // biome-ignore format: one a line
  ['assistant', 'assert_overdue_bill_exists', ['"customer_id": "C1001", "overdue_bill_id": "B1234321"', '"customer_id": "C1002", "overdue_bill_id": "B1005"']], // biome-ignore format: one a line
  ['assistant', 'assert_no_overdue_bill', ['"overdue_bill_id": "B1234321"', '"overdue_bill_id": "B1005"', '"overdue_bill_id": "B1001"']],
  ['user', 'assert_service_status', ['"connected"', '"no_service"', '"searching"', '"nonsense"'].map((one) => `"expected_status": ${one}`)],
  ['user', 'assert_internet_speed', ['"expected_speed": 200, "expected_desc": "excellent"', '"expected_speed": 10', '"expected_speed": 0.0, "expected_desc": "no connection"']], // biome-ignore format: one a line
  ['user', 'assert_internet_not_excellent', ['']],
  ...['airplane_mode_status', 'mobile_data_status', 'mobile_roaming_status', 'mobile_data_saver_mode_status', 'can_send_mms', 'mobile_data_usage_exceeded'].map((name): [Party, string, string[]] => ['user', `assert_${name}`, ['"expected_status": true', '"expected_status": false']]), // biome-ignore format: one a line
]
const done: readonly [Party, string, string[]][] = [
  ['assistant', 'set_data_usage', ['15.1', '15', '3.25', '17', '0'].map((gb) => `"customer_id": "C1001", "line_id": "L1002", "data_used_gb": ${gb}`)], // biome-ignore format: one a line
  ['assistant', 'suspend_line_for_overdue_bill', ['true', 'false'].map((ended) => `"customer_id": "C1001", "line_id": "L1002", "new_bill_id": "B1234321", "contract_ended": ${ended}`)], // biome-ignore format: one a line
  ['user', 'set_user_location', ['"abroad": true', '"abroad": false']],
  ['user', 'lock_sim_card', ['"mode": "pin"', '"mode": "puk"']],
  ['user', 'set_wifi_calling', ['"enabled": true, "mms_over_wifi": true', '"enabled": false', '"enabled": true, "mms_over_wifi": false']],
  ['user', 'remove_app_permission', ['"app_name": "messaging", "permission": "SMS"', '"app_name": "browser", "permission": "network"', '"app_name": "x", "permission": "sms"', '"app_name": "messaging", "permission": "camera"']], // biome-ignore format: one a line
  ...['turn_airplane_mode_on', 'turn_airplane_mode_off', 'unseat_sim_card', 'turn_data_on', 'turn_data_off', 'turn_roaming_on', 'turn_roaming_off', 'turn_data_saver_mode_on', 'turn_data_saver_mode_off', 'break_apn_settings', 'break_apn_mms_setting', 'break_vpn', 'simulate_network_search'].map((name): [Party, string, string[]] => ['user', name, ['']]), // biome-ignore format: one a line
]

function randomAction(draw: Draw, from: typeof done): WorldAction {
  const [party, name, args] = draw.pick(from)
  return { party, name, args: `{${draw.pick(args)}}` }
}

function randomStep(draw: Draw): WorldStep {
  const kind = draw.below(20)
  if (kind === 0) return { kind: 'act', action: randomAction(draw, done) }
  if (kind < 3) return { kind: 'ask', assertion: { ...randomAction(draw, asserted), value: draw.chance(0.5) } }
  return { kind: 'call', call: randomCall(draw), sync: draw.chance(0.5) }
}

/**
 * For every task its gold actions between its assertions, then random sessions of 30 steps after its beginning until there are `calls` calls. The same seed
 * gives the same.
 */
export function worldSessions(tasks: readonly WorldTask[], seed: number, calls: number): WorldSession[] {
  const draw = seededDraw(seed)
  const asking = (task: WorldTask): WorldStep[] => task.asserts.map((assertion) => ({ kind: 'ask', assertion }))
  const sessions: WorldSession[] = tasks.map((task) => {
    const gold = task.gold.map((call): WorldStep => ({ kind: 'call', call, sync: true }))
    return { task: task.id, begins: task.begins, steps: [...asking(task), ...gold, ...asking(task)] }
  })
  const countOf = ({ steps }: WorldSession) => steps.filter(({ kind }) => kind === 'call').length
  let made = sessions.reduce((sum, session) => sum + countOf(session), 0)
  for (let index = 0; made < calls; index++) {
    const task = tasks[index % tasks.length]!
    const session = { task: task.id, begins: task.begins, steps: [...draw.many(30, () => randomStep(draw)), ...asking(task)] }
    sessions.push(session)
    made += countOf(session)
  }
  return sessions
}
