import { asc, desc, getTableColumns, sql } from 'drizzle-orm'
import type { Database } from '../connect.ts'
import { agents } from '../schema/agents.ts'
import type { StoredAgent } from '../store.ts'

const kept = ['agent_id', 'first_seen']
const replaced = Object.fromEntries(
  Object.keys(getTableColumns(agents))
    .filter((name) => !kept.includes(name))
    .map((name) => [name, sql.raw(`excluded.${name}`)]),
)

/** Keeps what an agent last said; its first sighting stays, and an older report does not undo a newer one. */
export async function saveAgent(db: Database, agent: StoredAgent): Promise<void> {
  await db
    .insert(agents)
    .values(agent)
    .onConflictDoUpdate({ target: agents.agent_id, set: replaced, setWhere: sql`agents.last_seen <= excluded.last_seen` })
}

/** Most recently seen first. */
export async function listAgents(db: Database): Promise<StoredAgent[]> {
  return db.select().from(agents).orderBy(desc(agents.last_seen), asc(agents.agent_id))
}
