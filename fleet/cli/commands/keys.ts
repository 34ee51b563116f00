import * as z from 'zod'
import { Done } from '#shared/contract/api.ts'
import { type ApiKey, ApiKeyList, CreatedApiKey } from '#shared/contract/api-keys.ts'
import { scopeNames } from '#shared/contract/scopes.ts'
import { type Client, createClient } from '../client.ts'
import { defineCommand } from '../command.ts'
import { exitCodes, type Io, UsageError } from '../io.ts'
import { cleanLine, table } from '../terminal.ts'

const columns = [
  { title: 'id', whole: true },
  { title: 'name' },
  { title: 'owner' },
  { title: 'scopes' },
  { title: 'used' },
  { title: 'ends' },
]

const Values = z.object({
  scope: z.array(z.enum(scopeNames)).optional(),
  owner: z.string().max(100).optional(),
  days: z.coerce.number().int().min(1).max(3650).optional(),
})

export const keys = defineCommand({
  name: 'keys',
  summary:
    'Lists the keys of the service (`list`), makes one and prints it this once (`create NAME`), or revokes one at once (`revoke ID`). For the operator: with ADMIN_SECRET, a key of the scope admin, or on the machine of a local service. People who sign in make their own on the settings page.',
  arguments: ['[ACTION]', '[NAME]'],
  words: { ACTION: ['list', 'create', 'revoke'] },
  options: {
    scope: { help: 'what the key may do (runs:read and runs:write)', value: 'SCOPE', multiple: true, choices: scopeNames },
    owner: { help: 'whose key it is: keys of one owner are one person', value: 'NAME' },
    days: { help: 'days until it ends (it has no end)', value: 'N' },
  },
  values: Values,
  examples: [
    'bench keys',
    'bench keys create nightly --owner Ada',
    'bench keys create keda --scope metrics:read',
    'bench keys create worker-1 --scope agents:join --days 90',
    'bench keys revoke 0199c0de-…',
  ],
  async run({ positionals: [action = 'list', name], values, json, url }, io) {
    const client = createClient(io, url, { asOperator: true })
    if (action === 'list' && name === undefined) return list(client, json, io)
    if (name === undefined)
      throw new UsageError(action === 'create' ? 'Give the key a name: bench keys create NAME.' : 'Say which: bench keys revoke ID.')
    if (action === 'create') return create(client, name, values, json, io)
    if (action !== 'revoke') throw new UsageError('It is one of: bench keys, bench keys create NAME, bench keys revoke ID.')
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
  { scope, owner, days }: z.infer<typeof Values>,
  json: boolean,
  io: Io,
): Promise<number> {
  const expires_at = days === undefined ? null : new Date(io.now() + days * 86_400_000).toISOString()
  const made = await client.post('/api/keys', { name, expires_at, ...(scope && { scopes: scope }), ...(owner && { owner }) }, CreatedApiKey)
  if (json) io.out(JSON.stringify(made))
  else {
    io.out(made.key)
    io.err(`The key ${cleanLine(made.name)} of ${cleanLine(made.owner)} (${made.scopes.join(', ')}). Keep it: it is shown this once.`)
  }
  return exitCodes.ok
}

const day = (iso: string): string => iso.slice(0, 10)

function row(key: ApiKey): string[] {
  const ends = key.revoked_at ? `revoked ${day(key.revoked_at)}` : key.expires_at ? day(key.expires_at) : 'never'
  return [key.id, cleanLine(key.name), cleanLine(key.owner), key.scopes.join(' '), key.used_at ? day(key.used_at) : 'never', ends]
}
