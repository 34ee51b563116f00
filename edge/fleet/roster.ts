import { provedPools, type Resources } from '#shared/contract/resources.ts'
import { graceMs, leaseMs } from '#shared/run/lease.ts'
import type { Assignment, MatchAgent } from '#shared/run/match/fleet.ts'
import type { FleetAgent } from '../deps.ts'
import type { AgentSocket } from '../run/agent-socket.ts'
import type { Sql } from '../run/run-storage.ts'

/** The facts in an agent's hello. */
export type Known = Pick<FleetAgent, 'agent_id' | 'session' | 'host' | 'version' | 'capabilities' | 'slots' | 'connected_at'> & {
  resources: Resources | null
  /** Whether it lists items when it is asked to; absent for one that never said so. */
  lists?: boolean
}

/** How an agent is, kept with its socket over the object's sleep: small, as that has to be. */
type Sign = Pick<FleetAgent, 'agent_id' | 'session' | 'free_slots' | 'running' | 'draining' | 'blocks' | 'usage'> & { heard_ms: number }

/** An agent of the fleet. One whose connection broke has no socket, but keeps its place for the grace time. */
export type Member = { known: Known; sign: Sign; given: readonly Assignment[]; socket: AgentSocket | null; left_ms: number | null }

/** Whether it was silent for a lease, with its socket open or not: its trials have gone to others, and so does its place. */
export const isGivenUp = ({ sign, left_ms }: Member, nowMs: number): boolean =>
  nowMs - sign.heard_ms >= leaseMs || (left_ms !== null && nowMs - left_ms >= graceMs)

/** The agents of a fleet and what each was given, in memory and in the object's rows: neither its sleep nor a broken connection moves work. */
export function openRoster(sql: Sql, sockets: readonly AgentSocket[], nowMs: number) {
  sql.exec(
    'CREATE TABLE IF NOT EXISTS agent (session TEXT PRIMARY KEY, known TEXT NOT NULL, given TEXT NOT NULL, left_ms INTEGER) WITHOUT ROWID',
  )
  const members = new Map<string, Member>()
  for (const row of sql.exec<{ known: string; given: string; left_ms: number | null }>('SELECT known, given, left_ms FROM agent')) {
    const known = JSON.parse(row.known) as Known // written by `greet`, as `given` is by `give`
    const { agent_id, session, slots } = known
    const sign = { agent_id, session, free_slots: slots, running: 0, draining: false, heard_ms: row.left_ms ?? nowMs }
    members.set(session, { known, sign, given: JSON.parse(row.given) as Assignment[], socket: null, left_ms: row.left_ms ?? nowMs })
  }
  for (const socket of sockets) {
    const sign = socket.deserializeAttachment() as Sign | null // written below
    const member = sign && members.get(sign.session)
    if (member) Object.assign(member, { sign, socket, left_ms: null } satisfies Partial<Member>)
  }
  const remove = (session: string): void => {
    members.delete(session)
    sql.exec('DELETE FROM agent WHERE session = ?', session)
  }

  return {
    members: (): Iterable<Member> => members.values(),
    /** Who is at the other end of a socket: null before its hello, undefined for one that is not of the fleet any more. */
    memberOf(socket: AgentSocket): Member | null | undefined {
      const sign = socket.deserializeAttachment() as Sign | null
      return sign && members.get(sign.session)
    },
    /** Takes an agent in; one that comes back has what it had. Its former process, of another session, is gone. */
    greet(socket: AgentSocket, known: Known, nowMs: number): void {
      const { session, agent_id, slots } = known
      for (const other of [...members.values()])
        if (other.known.agent_id === agent_id && other.known.session !== session) remove(other.known.session)
      const sign: Sign = { agent_id, session, free_slots: slots, running: 0, draining: false, heard_ms: nowMs }
      const given = members.get(session)?.given ?? []
      members.set(session, { known, sign, given, socket, left_ms: null })
      socket.serializeAttachment(sign)
      sql.exec('INSERT OR REPLACE INTO agent VALUES (?, ?, ?, NULL)', session, JSON.stringify(known), JSON.stringify(given))
    },
    heard(member: Member, socket: AgentSocket, said: Omit<Sign, 'agent_id' | 'session' | 'heard_ms'>, nowMs: number): void {
      member.sign = { ...member.sign, ...said, heard_ms: nowMs }
      socket.serializeAttachment(member.sign)
    },
    /** A connection is gone: for good when it was closed on purpose, else its agent has the grace time to come back. */
    left(member: Member, onPurpose: boolean, nowMs: number): void {
      const { session } = member.known
      if (onPurpose) return remove(session)
      member.socket = null
      member.left_ms = nowMs
      sql.exec('UPDATE agent SET left_ms = ? WHERE session = ?', nowMs, session)
    },
    /** Agents that did not come back are forgotten. */
    prune(nowMs: number): void {
      for (const member of [...members.values()])
        if (member.left_ms !== null && nowMs - member.left_ms >= graceMs) remove(member.known.session)
    },
    give(member: Member, given: readonly Assignment[]): void {
      member.given = given
      sql.exec('UPDATE agent SET given = ? WHERE session = ?', JSON.stringify(given), member.known.session)
    },
    /** The first moment at which somebody may have to be given up, if nothing is heard until then. */
    nextExpiry(): number {
      let first = Number.POSITIVE_INFINITY
      for (const { sign, left_ms, given } of members.values()) {
        if (given.length > 0) first = Math.min(first, left_ms === null ? sign.heard_ms + leaseMs : left_ms + graceMs)
      }
      return first
    },
  }
}
export type Roster = ReturnType<typeof openRoster>

/** The agent as it is matched with runs; undefined for one that is given nothing. */
export function toMatch(member: Member, nowMs: number): MatchAgent | undefined {
  if (member.sign.draining || isGivenUp(member, nowMs)) return undefined
  const { session, capabilities, slots, resources } = member.known
  return { session, capabilities, slots, sandboxes: resources ? provedPools(resources) : [] }
}

/** The agent as it is shown. */
export function toFleetAgent({ known: { lists: _lists, ...known }, sign }: Member): FleetAgent {
  return { ...known, ...sign }
}
