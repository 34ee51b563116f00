import { and, desc, eq, lt, or } from 'drizzle-orm'
import { AuditEntry } from '#shared/contract/audit.ts'
import type { AuditFilter } from '../audit-store.ts'
import type { Database } from '../connect.ts'
import { audit } from '../schema/audit.ts'

export async function addAudit(db: Database, entry: Omit<AuditEntry, 'seq'>): Promise<void> {
  await db.insert(audit).values(entry)
}

export async function listAudit(db: Database, { whose, action, before, limit }: AuditFilter): Promise<AuditEntry[]> {
  const rows = await db
    .select()
    .from(audit)
    .where(
      and(
        whose === null ? undefined : or(eq(audit.actor_id, whose), eq(audit.owner_id, whose)),
        action === undefined ? undefined : eq(audit.action, action),
        before === null ? undefined : lt(audit.seq, before),
      ),
    )
    .orderBy(desc(audit.seq))
    .limit(limit)
  return rows.map((row) => AuditEntry.parse(row))
}
