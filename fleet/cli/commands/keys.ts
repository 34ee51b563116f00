import * as z from 'zod'
import { Done } from '#shared/contract/api.ts'
import { type ApiKey, ApiKeyList, CreatedApiKey } from '#shared/contract/api-keys.ts'
import { Budget } from '#shared/contract/budget.ts'
import { scopeNames } from '#shared/contract/scopes.ts'
import { limitText } from '#shared/run/limit-text.ts'
import { type Client, createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { dollars } from '../dollars.ts'
import { exitCodes, type Io, UsageError } from '../io.ts'
import { cost } from '../numbers.ts'
import { cleanLine, table } from '../terminal.ts'

const columns = [
  { title: 'id', whole: true },
  { title: 'name' },
  { title: 'owner' },
  { title: 'scopes' },
  { title: 'used' },
  { title: 'ends' },
  { title: 'budget' },
]

const Values = z.object({
  scope: z.array(z.enum(scopeNames)).optional(),
  owner: z.string().max(100).optional(),
  days: z.coerce.number().int().min(1).max(3650).optional(),
  'budget-day': z.string().optional(),
  'budget-month': z.string().optional(),
})

export const keys = defineCommand({
  name: 'keys',
  summary:
    'Lists the keys of the service (`list`), makes one and prints it this once (`create NAME`), sets what its runs may cost (`budget ID`), or revokes one at once (`revoke ID`). For the operator: with ADMIN_SECRET, a key of the scope admin, or on the machine of a local service. People who sign in make their own on the settings page.',
  arguments: ['[ACTION]', '[NAME]'],
  words: { ACTION: ['list', 'create', 'budget', 'revoke'] },
  options: {
    scope: { help: 'what the key may do (runs:read and runs:write)', value: 'SCOPE', multiple: true, choices: scopeNames },
    owner: { help: 'whose key it is: keys of one owner are one person', value: 'NAME' },
    days: { help: 'days until it ends (it has no end)', value: 'N' },
    'budget-day': { help: 'most US dollars that its runs may cost a day in UTC, or none', value: 'USD' },
    'budget-month': { help: 'most US dollars that its runs may cost a month in UTC, or none', value: 'USD' },
  },
  values: Values,
  examples: [
    'bench keys',
    'bench keys create nightly --owner Ada',
    'bench keys create ci --budget-day 1 --budget-month 10',
    'bench keys budget 0199c0de-… --budget-day 5 --budget-month none',
    'bench keys budget --owner Ada --budget-month 50',
    'bench keys create keda --scope metrics:read',
    'bench keys create worker-1 --scope agents:join --days 90',
    'bench keys revoke 0199c0de-…',
  ],
  async run({ positionals: [action = 'list', name], values, json, url }, io) {
    const client = createClient(io, url, { asOperator: true })
    if (action === 'list' && name === undefined) return list(client, json, io)
    if (action === 'budget') return setBudget(client, name, values, json, io)
    if (name === undefined)
      throw new UsageError(action === 'create' ? 'Give the key a name: bench keys create NAME.' : 'Say which: bench keys revoke ID.')
    if (action === 'create') return create(client, name, values, json, io)
    if (action !== 'revoke')
      throw new UsageError('It is one of: bench keys, bench keys create NAME, bench keys budget ID, bench keys revoke ID.')
    const done = await client.delete(`/api/keys/${encodeURIComponent(name)}`, Done)
    io.out(json ? JSON.stringify(done) : `The key ${cleanLine(name)} is revoked: programs with it are refused from now on.`)
    return exitCodes.ok
  },
})

async function list(client: Client, json: boolean, io: Io): Promise<number> {
  const { keys } = await client.get('/api/keys', ApiKeyList)
  if (json) for (const key of keys) io.out(JSON.stringify(key))
  else if (keys.length === 0) io.out('There are no keys: bench keys create NAME makes one.')
  else for (const line of table(columns, keys.map(row), io.columns)) io.out(line)
  return exitCodes.ok
}

async function create(
  client: Client,
  name: string,
  { scope, owner, days, ...more }: z.infer<typeof Values>,
  json: boolean,
  io: Io,
): Promise<number> {
  const expires_at = days === undefined ? null : new Date(io.now() + days * 86_400_000).toISOString()
  const budget = limitsOf(more)
  const asked = { name, expires_at, ...(scope && { scopes: scope }), ...(owner && { owner }), ...(budget && { budget }) }
  const made = await client.post('/api/keys', asked, CreatedApiKey)
  if (json) io.out(JSON.stringify(made))
  else {
    io.out(made.key)
    io.err(`The key ${cleanLine(made.name)} of ${cleanLine(made.owner)} (${made.scopes.join(', ')}). Keep it: it is shown this once.`)
  }
  return exitCodes.ok
}

/** Limits as typed; undefined where none is. */
function limitsOf({ 'budget-day': day, 'budget-month': month }: Pick<z.infer<typeof Values>, 'budget-day' | 'budget-month'>) {
  const limits = {
    ...(day !== undefined && { day_usd: dollars(day, '--budget-day') }),
    ...(month !== undefined && { month_usd: dollars(month, '--budget-month') }),
  }
  return Object.keys(limits).length > 0 ? limits : undefined
}

async function setBudget(client: Client, id: string | undefined, values: z.infer<typeof Values>, json: boolean, io: Io): Promise<number> {
  const limits = limitsOf(values)
  if (!limits) throw new UsageError('Say how much: --budget-day USD or --budget-month USD.')
  if ((id === undefined) === (values.owner === undefined)) throw new UsageError('Say whose: the ID of a key, or --owner NAME for a person.')
  const holder = id === undefined ? `person/${encodeURIComponent(values.owner!)}` : `key/${encodeURIComponent(id)}` // one of the two is there
  const set = await client.put(`/api/budgets/${holder}`, limits, Budget)
  if (json) io.out(JSON.stringify(set))
  else io.out(`${cleanLine(set.name)}: ${limitText(set, (usd) => cost(usd)) ?? 'no limit'}`)
  return exitCodes.ok
}

const day = (iso: string): string => iso.slice(0, 10)

function row(key: ApiKey): string[] {
  const ends = key.revoked_at ? `revoked ${day(key.revoked_at)}` : key.expires_at ? day(key.expires_at) : 'never'
  return [
    key.id,
    cleanLine(key.name),
    cleanLine(key.owner),
    key.scopes.join(' '),
    key.used_at ? day(key.used_at) : 'never',
    ends,
    budgetOf(key),
  ]
}

const budgetOf = ({ budget }: ApiKey): string => (budget && limitText(budget, (usd) => cost(usd))) || 'none'
