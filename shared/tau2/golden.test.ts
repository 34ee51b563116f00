import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { dumps, type PyValue, readArguments } from './python-values.ts'
import { readTelecom, type TelecomFiles, type TelecomWorld } from './telecom.ts'
import { inventedTelecom, pythonModel, pythonTools, type ToldTool } from './testing/invented-telecom.ts'
import type { Party, WorldAction } from './world.ts'

/** Recorded with tau2-bench at a2c02472, beside the repository; may be absent. */
const shared = process.env.BENCH_SHARED ?? join(import.meta.dirname, '../../../shared')
const [golden, data] = [join(shared, 'golden/tau2'), join(shared, 'data/tau2_telecom')]
const absent = !existsSync(golden) || !existsSync(data)
const textOf = (path: string): string => readFileSync(path, 'utf8')

/** Python's JSON: integers and floats stay apart. */
type Recorded = Map<string, PyValue>
function recorded(name: string): Recorded[] {
  const list = readArguments(`{"all": ${textOf(join(golden, name))}}`)!.get('all')!
  return (Array.isArray(list) ? list : [list]) as Recorded[] // the form in which they were recorded
}
const list = (of: Recorded, key: string): Recorded[] => (of.get(key) as Recorded[] | null) ?? []
const within = (of: Recorded, ...keys: string[]): Recorded => keys.reduce((value, key) => value.get(key) as Recorded, of)

const official = (): TelecomFiles => ({
  ...inventedTelecom,
  db_toml: textOf(join(data, 'db.toml')),
  user_db_toml: textOf(join(data, 'user_db.toml')),
})

const actionOf = (one: Recorded): WorldAction => ({
  party: one.get('env_type') as Party,
  name: (one.get('func_name') ?? one.get('func')) as string,
  args: dumps(one.get('arguments') ?? one.get('args')!),
})
const assertionOf = (one: Recorded) => ({ ...actionOf(one), value: one.get('assert_value') === true })
const tasks = () => new Map(recorded('base114_tasks.json').map((task) => [task.get('id'), task]))

/** A world after the beginning of a task. */
function begun(domain: ReturnType<typeof readTelecom>, task: Recorded): TelecomWorld {
  const world = domain.open()
  world.prepare(list(within(task, 'initial_state'), 'initialization_actions').map(actionOf))
  return world
}

/** Answers beside recorded ones; only what differs is given back. */
function differing(world: TelecomWorld, calls: readonly Recorded[]): unknown[] {
  return calls.flatMap((call) => {
    const asked = { party: call.get('requestor') as Party, name: call.get('name') as string, arguments: dumps(call.get('arguments')!) }
    const answer = world.respond(asked)
    const same = answer.content === call.get('content') && answer.error === call.get('error')
    return same ? [] : [{ ...asked, answer, recorded: call.get('content') }]
  })
}

test.skipIf(absent)('[TAU1] recorded calls are answered as they were: 30 with errors, 870 at random, gold actions of twenty tasks', () => {
  const domain = readTelecom(official())
  const known = tasks()
  const [errors] = recorded('error_traces.json')
  const calls = list(errors!, 'calls_in_one_environment')
  expect(calls).toHaveLength(30)
  expect(differing(begun(domain, known.get(errors!.get('task_id')!)!), calls)).toEqual([])

  let count = 0
  const ends: { final_agent_db: unknown; final_user_db: unknown }[] = JSON.parse(textOf(join(golden, 'fuzz_traces.json')))
  for (const [index, trace] of recorded('fuzz_traces.json').entries()) {
    const task = known.get(trace.get('task_id')!)!
    const world = begun(domain, task)
    count += list(trace, 'steps').length
    expect(differing(world, list(trace, 'steps'))).toEqual([])
    expect(world.state()).toEqual({ assistant: ends[index]!.final_agent_db, user: ends[index]!.final_user_db })
    const asserted = list(within(task, 'evaluation_criteria'), 'env_assertions').map(assertionOf)
    expect(asserted.map((one) => world.holds(one))).toEqual(trace.get('assertions'))
  }
  expect(count).toBe(870)
})

test.skipIf(absent)('[TAU1] gold actions of the twenty small tasks are answered as recorded, assertions before and after too', () => {
  const domain = readTelecom(official())
  const traces = recorded('gold_traces_small20.json')
  expect(traces).toHaveLength(20)
  for (const trace of traces) {
    const world = domain.open()
    world.prepare(list(trace, 'init').map(actionOf))
    const held = (when: string) => list(trace, when).map((one) => [world.holds({ ...assertionOf(one), value: true }), one.get('result')])
    const before = held('assertions_before')
    expect(differing(world, list(trace, 'gold_trace'))).toEqual([])
    for (const [ours, theirs] of [...before, ...held('assertions_after')]) expect(ours).toBe(theirs)
  }
})

test.skipIf(absent)(
  '[TAU8] gold actions make all assertions true in all 114 tasks; before them they are in the twenty that nobody can fix',
  () => {
    const domain = readTelecom(official())
    const all = [...tasks().values()]
    const came = all.map((task) => {
      const world = begun(domain, task)
      const criteria = within(task, 'evaluation_criteria')
      const hold = () => list(criteria, 'env_assertions').every((one) => world.holds(assertionOf(one)))
      const before = hold()
      for (const action of list(criteria, 'actions'))
        world.respond({
          party: action.get('requestor') as Party,
          name: action.get('name') as string,
          arguments: dumps(action.get('arguments')!),
        })
      return { before, after: hold(), unfixable: (criteria.get('reward_basis') as PyValue[]).includes('ACTION') }
    })
    expect(came.filter(({ after }) => after)).toHaveLength(114)
    expect(came.filter(({ before }) => before)).toHaveLength(20)
    expect(came.every(({ before, unfixable }) => before === unfixable)).toBe(true)
  },
)

/** What the golden file has of a tool. */
type Described = { description?: string }
type Schema = {
  name: string
  description: string
  parameters: {
    properties: Record<string, Described>
    $defs?: Record<string, { description: string; properties: Record<string, Described> }>
  }
}

test.skipIf(absent)('[TAU5] all 43 tools are told as upstream tells them, with its words from Python files', () => {
  const schemas: { [party in 'agent' | 'user']: { function: Schema }[] } = JSON.parse(textOf(join(golden, 'tool_schemas.json')))
  const told = (tools: { function: Schema }[]): string =>
    pythonTools(
      tools.map(({ function: { name, description, parameters } }): ToldTool => {
        const described = Object.entries(parameters.properties).flatMap(([key, { description: text }]) =>
          text === undefined ? [] : [[key, text]],
        )
        return { name, description, parameters: Object.fromEntries(described) }
      }),
    )
  const apn = schemas.user.find((tool) => tool.function.name === 'set_apn_settings')!.function.parameters
  const model = apn.$defs!.APNSettings!
  const fields = Object.entries(model.properties).map(([name, one]) => [name, one.description])
  const files = { ...official(), tools_py: told(schemas.agent), user_tools_py: told(schemas.user) }
  const { tools } = readTelecom({ ...files, user_data_model_py: pythonModel(model.description, Object.fromEntries(fields)) })
  expect(tools.assistant).toHaveLength(13)
  expect(tools.user).toHaveLength(30)
  // Compared as texts: keys have an order too.
  expect(tools.assistant.map((tool) => JSON.stringify(tool))).toEqual(schemas.agent.map((tool) => JSON.stringify(tool.function)))
  expect(tools.user.map((tool) => JSON.stringify(tool))).toEqual(schemas.user.map((tool) => JSON.stringify(tool.function)))
})
