import * as z from 'zod'

/** What people do here that the audit log keeps: `noun.verb`. */
export const auditActions = [
  'run.create',
  'run.cancel',
  'run.pause',
  'run.resume',
  'run.retry',
  'run.change',
  'run.regrade',
  'run.rescore',
  'run.list',
  'run.import',
  'task.upload',
  'task.execute',
  'task.retry',
  'task.delete',
  'key.create',
  'key.revoke',
  'provider-key.save',
  'provider-key.delete',
  'defaults.set',
  'budget.set',
  'agent.forget',
  'agent.drain',
  'team.create',
  'team.change',
  'team.delete',
  'team.join',
  'member.change',
  'member.remove',
  'invitation.create',
  'invitation.revoke',
  'session.begin',
  'session.end',
  'maintenance.set',
  'models.sync',
] as const
export const AuditAction = z.enum(auditActions)
export type AuditAction = z.infer<typeof AuditAction>

/** One entry of the audit log. Entries are never changed and never deleted. */
export const AuditEntry = z.object({
  seq: z.int().describe('Number of the entry; later entries have higher numbers'),
  at: z.string().describe('When, in UTC'),
  actor_id: z.string().describe('Owner id of whoever did it; `admin` for the admin secret'),
  actor_kind: z.string().describe('How the actor was known: key, chutes-key, session, admin, local or anonymous'),
  key_id: z.string().nullable().describe('The API key that was used; null where none was'),
  action: AuditAction.describe('What was done'),
  target: z.string().nullable().describe('The thing, as `run:ID`; null for a thing of the service'),
  owner_id: z.string().nullable().describe('Owner of the thing, who may read the entry too'),
  detail: z.record(z.string(), z.unknown()).nullable().describe('What was asked for, without secrets; null where the action says it all'),
  status: z.int().describe('HTTP status of the answer'),
  address: z.string().describe('Network that the request came from: the first 24 bits of an IPv4 address, 48 of an IPv6 address'),
  request_id: z.string().describe('Id of the request'),
})
export type AuditEntry = z.infer<typeof AuditEntry>

export const AuditPage = z.object({
  entries: z.array(AuditEntry).describe('Entries, newest first'),
  next: z.int().nullable().describe('Pass it as `before` for the next page; null at the end'),
})
export type AuditPage = z.infer<typeof AuditPage>
