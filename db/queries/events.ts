import { and, asc, eq, gt } from 'drizzle-orm'
import type { StreamedEvent } from '#shared/contract/event.ts'
import type { Database } from '../connect.ts'
import { events } from '../schema/events.ts'
import { knownRun } from './match.ts'

export async function listEvents(db: Database, run_id: string, after: number, limit: number): Promise<StreamedEvent[]> {
  return db
    .select({
      id: events.id,
      event_type: events.event_type,
      benchmark_name: events.benchmark_name,
      message: events.message,
      data: events.data,
      created_at: events.created_at,
    })
    .from(events)
    .where(and(eq(events.run_id, knownRun(run_id)), gt(events.id, after)))
    .orderBy(asc(events.id))
    .limit(limit)
}
