import { and, asc, eq, gt, sql } from 'drizzle-orm'
import { unpackEvent } from '#shared/run/packed-event.ts'
import type { Database } from '../connect.ts'
import { events } from '../schema/events.ts'
import type { EventPage } from '../store.ts'
import { knownRun } from './match.ts'
import { mostPerPage } from './weighed-page.ts'

/** With the names of what they say, events are up to so many times as long as they are kept. */
const longerWithNames = 3

export async function listEvents(db: Database, run_id: string, after: number, limit: number): Promise<EventPage> {
  const columns = {
    id: events.id,
    event_type: events.event_type,
    benchmark_name: events.benchmark_name,
    message: events.message,
    data: events.data,
    created_at: events.created_at,
  }
  const found = db
    .select(columns)
    .from(events)
    .where(and(eq(events.run_id, knownRun(run_id)), gt(events.id, after)))
    .orderBy(asc(events.id))
    .limit(limit + 1)
    .as('found')
  const { id, event_type, benchmark_name, message, data, created_at } = found
  const weighed = db
    .select({
      ...{ id, event_type, benchmark_name, message, data, created_at },
      together: sql<number>`sum(${longerWithNames}::int * octet_length(${data}::text)) over (order by ${id})`.as('together'),
      place: sql<number>`row_number() over (order by ${id})`.as('place'),
      all: sql<number>`count(*) over ()`.as('all_found'),
    })
    .from(found)
    .as('weighed')
  const rows = await db
    .select({
      ...{ id: weighed.id, event_type: weighed.event_type, benchmark_name: weighed.benchmark_name, message: weighed.message },
      ...{ data: weighed.data, created_at: weighed.created_at },
      followed: sql<boolean>`${weighed.all} > ${weighed.place}`,
    })
    .from(weighed)
    .where(sql`(${weighed.together} <= ${mostPerPage} or ${weighed.place} = 1) and ${weighed.place} <= ${limit}`)
    .orderBy(asc(weighed.id))
  const page = rows.map(({ followed: _, ...event }) => unpackEvent(event))
  return { events: page, next: rows.at(-1)?.followed ? page.at(-1)!.id : null }
}
