import type { AuditEntry } from '#shared/contract/audit.ts'

/** Which entries: those that a person did or that concern things of that person; null for all. `before` is the number of an entry. */
export type AuditFilter = { whose: string | null; action?: AuditEntry['action'] | undefined; before: number | null; limit: number }

/** Database methods for the audit log. There is none that changes or deletes an entry. */
export type AuditStore = {
  addAudit(entry: Omit<AuditEntry, 'seq'>): Promise<void>
  /** Newest first. */
  listAudit(filter: AuditFilter): Promise<AuditEntry[]>
}
