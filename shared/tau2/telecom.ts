import type * as z from 'zod'
import { parseToml } from '../harbor/parse-toml.ts'
import { agentTaskFunctions, agentTools, type TaskFunction, type ToolFunction } from './agent-tools.ts'
import { bindArguments, refuseTaken } from './call-function.ts'
import { Company } from './company.ts'
import { Phone } from './phone.ts'
import { type Dumpable, dumps, PythonError, readArguments } from './python-values.ts'
import { syncTelecom } from './sync-telecom.ts'
import type { Telecom } from './telecom-state.ts'
import { toolSchemas } from './tool-schemas.ts'
import { userTaskFunctions } from './user-task-functions.ts'
import { userTools } from './user-tools.ts'
import { type Domain, type Party, type World, type WorldAction, type WorldAnswer, WorldBroken, type WorldCall } from './world.ts'

/** The pinned files of tau2-bench that the domain is read from: its data bases, and the Python files whose docstrings describe its tools. */
export type TelecomFiles = {
  /** `data/tau2/domains/telecom/db.toml` */
  db_toml: string
  /** `data/tau2/domains/telecom/user_db.toml` */
  user_db_toml: string
  /** `src/tau2/domains/telecom/tools.py` */
  tools_py: string
  /** `src/tau2/domains/telecom/user_tools.py` */
  user_tools_py: string
  /** `src/tau2/domains/telecom/user_data_model.py` */
  user_data_model_py: string
}

/** A world of the telecom domain. `dump`: a data base as Python's `json.dumps` prints it, integers and floats told apart. */
export type TelecomWorld = World & { dump(party: Party): string }
export type TelecomDomain = Omit<Domain, 'open'> & { open(): TelecomWorld }

const sides: {
  [party in Party]: { owner: string; tools: Readonly<Record<string, ToolFunction>>; task: Readonly<Record<string, TaskFunction>> }
} = {
  assistant: { owner: 'TelecomTools', tools: agentTools, task: agentTaskFunctions },
  user: { owner: 'TelecomUserTools', tools: userTools, task: userTaskFunctions },
}

/**
 * The telecom domain of tau2-bench. Throws where a file is not what it should be. Two things differ from upstream, where they are chance: ids of new bills
 * are counted, not drawn, and what a broken VPN spoils does not outlast the dialogue. Source: tau2-bench at a2c02472, `src/tau2/domains/telecom/`.
 */
export function readTelecom(files: TelecomFiles): TelecomDomain {
  const company = readTable(files.db_toml, Company, 'db.toml')
  const phone = readTable(files.user_db_toml, Phone, 'user_db.toml')
  return {
    tools: {
      assistant: toolSchemas(agentTools, files.tools_py, files.user_data_model_py),
      user: toolSchemas(userTools, files.user_tools_py, files.user_data_model_py),
    },
    open: () =>
      openWorld({
        company: company(),
        phone: phone(),
        vpn: { server_address: '192.168.1.1', protocol: 'OpenVPN', server_performance: 'excellent' },
        billsMade: 0,
      }),
  }
}

/** Gives a fresh data base whenever it is called. */
function readTable<T>(text: string, schema: z.ZodType<T>, name: string): () => T {
  const parsed = parseToml(text)
  if (!parsed.ok) throw new Error(`${name}, line ${parsed.line}: ${parsed.text}`)
  schema.parse(parsed.table)
  return () => schema.parse(parsed.table)
}

function openWorld(telecom: Telecom): TelecomWorld {
  const world: TelecomWorld = {
    respond: (call) => respond(telecom, call),
    sync: () => orBroken(() => syncTelecom(telecom)),
    prepare: (actions) =>
      orBroken(() => {
        for (const action of actions) perform(telecom, action)
        syncTelecom(telecom)
      }),
    holds: (assertion) =>
      orBroken(() => {
        const came = perform(telecom, assertion)
        if (typeof came !== 'boolean') throw new PythonError(`Function ${assertion.name} did not return a bool`)
        return came === assertion.value
      }),
    changes: (party, name) => toolOf(party, name)?.changes ?? false,
    state: () => ({ assistant: plain(telecom.company), user: plain(telecom.phone) }),
    dump: (party) => dumps(party === 'assistant' ? telecom.company : telecom.phone),
  }
  world.sync()
  return world
}

const toolOf = (party: Party, name: string): ToolFunction | undefined =>
  Object.hasOwn(sides[party].tools, name) ? sides[party].tools[name] : undefined

/** Arguments that are no JSON object never reach an environment upstream; here they are an error that says so. */
function respond(telecom: Telecom, { party, name, arguments: text }: WorldCall): WorldAnswer {
  try {
    const given = readArguments(text)
    if (!given) throw new PythonError('the arguments are no JSON object')
    refuseTaken(given)
    const tool = toolOf(party, name)
    if (!tool) throw new PythonError(`Tool '${name}' not found.`)
    const came = tool.run(telecom, ...bindArguments(sides[party].owner, name, tool.parameters, given))
    syncTelecom(telecom)
    return { content: typeof came === 'string' ? came : dumps(came), error: false }
  } catch (error) {
    if (error instanceof PythonError) return { content: `Error: ${error.message}`, error: true }
    throw error
  }
}

function perform(telecom: Telecom, { party, name, args }: WorldAction): Dumpable {
  const { owner, task } = sides[party]
  const named = Object.hasOwn(task, name) ? task[name] : toolOf(party, name)
  const given = readArguments(args)
  if (!named) throw new PythonError(`'${owner}' object has no attribute '${name}'`)
  if (!given) throw new PythonError(`the arguments of ${name} are no JSON object`)
  const came = named.run(telecom, ...bindArguments(owner, name, named.parameters, given))
  syncTelecom(telecom)
  return came
}

function orBroken<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof PythonError ? new WorldBroken(error.message, { cause: error }) : error
  }
}

const moments: readonly string[] = ['activation_date', 'last_esim_transfer_date', 'created_at']

/** Without the difference of integers and floats, which JSON does not know, and with the T in a moment that Python's `str` leaves out. */
function plain(value: Dumpable): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  const entries: [string, Dumpable][] = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(
    entries.map(([key, entry]) => [key, typeof entry === 'string' && moments.includes(key) ? entry.replace(' ', 'T') : plain(entry)]),
  )
}
