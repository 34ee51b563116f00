import type { FleetUp } from '#shared/contract/frame.ts'
import { ItemList, type ListedData } from '#shared/contract/item-list.ts'
import type { Clock } from '#shared/run/clock.ts'
import { sha256Hex } from '#shared/sha256.ts'
import { sendFrame } from '../run/agent-socket.ts'
import type { Sql } from '../run/run-storage.ts'
import type { Member } from './roster.ts'

/**
 * What came of asking for items. `absent`: no connected agent lists any. `reading`: an agent is at it, and whoever asks again later gets them. `refused`:
 * an agent cannot list them, with its sentence.
 */
export type ItemListing = { type: 'listed'; list: ItemList } | { type: 'absent' } | { type: 'reading' } | { type: 'refused'; why: string }

/** How long an answer is waited for. */
export const listWaitMs = 20_000
/** An agent that was asked and says nothing for so long is not waited for any more. */
export const listPatienceMs = 15 * 60_000
/** Lists that are kept; the one that was asked for longest ago goes first. */
export const mostLists = 64
/** A row of the storage holds two megabytes, and a UTF-16 unit takes three bytes of UTF-8 at most. */
const pieceChars = 500_000

type Listed = Extract<FleetUp, { type: 'listed' }>
type Waiting = (listing: ItemListing) => void

/**
 * Items of benchmarks as agents listed them: kept by what they are of, and asked for where they are not known. `members` are agents that can be asked. Who was
 * asked is kept in rows: reading a large data set takes longer than an object stays awake.
 */
export function openItemLists(sql: Sql, clock: Clock, members: () => readonly Member[]) {
  sql.exec(
    'CREATE TABLE IF NOT EXISTS item_list (ask TEXT, piece INTEGER, text TEXT NOT NULL, used_ms INTEGER NOT NULL, PRIMARY KEY (ask, piece))',
  )
  sql.exec('CREATE TABLE IF NOT EXISTS item_ask (ask TEXT PRIMARY KEY, session TEXT NOT NULL, at_ms INTEGER NOT NULL) WITHOUT ROWID')
  const waiting = new Map<string, Waiting[]>()

  const find = (ask: string): ItemList | undefined => {
    const pieces = sql.exec<{ text: string }>('SELECT text FROM item_list WHERE ask = ? ORDER BY piece', ask).toArray()
    if (pieces.length === 0) return undefined
    sql.exec('UPDATE item_list SET used_ms = ? WHERE ask = ? AND piece = 0', clock.now(), ask)
    return ItemList.safeParse(JSON.parse(pieces.map(({ text }) => text).join(''))).data
  }
  const keep = (ask: string, list: ItemList): void => {
    const text = JSON.stringify(list)
    sql.exec('DELETE FROM item_list WHERE ask = ?', ask)
    for (let piece = 0; piece * pieceChars < text.length; piece++)
      sql.exec(
        'INSERT INTO item_list VALUES (?, ?, ?, ?)',
        ...[ask, piece, text.slice(piece * pieceChars, (piece + 1) * pieceChars), clock.now()],
      )
    sql.exec(
      'DELETE FROM item_list WHERE ask NOT IN (SELECT ask FROM item_list WHERE piece = 0 ORDER BY used_ms DESC, ask LIMIT ?)',
      mostLists,
    )
  }
  const askedOf = (ask: string) =>
    sql.exec<{ session: string; at_ms: number }>('SELECT session, at_ms FROM item_ask WHERE ask = ?', ask).toArray()[0]
  /** Whether the agent that was asked is there and may still answer. */
  const isAtWork = (ask: string, able: readonly Member[]): boolean => {
    const before = askedOf(ask)
    if (!before || clock.now() - before.at_ms >= listPatienceMs) return false
    return able.some(({ known }) => known.session === before.session)
  }
  /** The agent with the most free slots reads the data; false where there is none. */
  const askOne = (ask: string, of: ListedData, able: readonly Member[]): boolean => {
    const [member] = able.toSorted((a, b) => b.sign.free_slots - a.sign.free_slots)
    if (!member?.socket) return false
    sql.exec('INSERT OR REPLACE INTO item_ask VALUES (?, ?, ?)', ask, member.known.session, clock.now())
    sendFrame(member.socket, { type: 'list', ask, of })
    return true
  }

  return {
    async list(of: ListedData): Promise<ItemListing> {
      const ask = sha256Hex(JSON.stringify(of))
      const list = find(ask)
      if (list) return { type: 'listed', list }
      const able = members().filter(({ socket, known }) => socket && known.lists)
      if (!isAtWork(ask, able) && !askOne(ask, of, able)) return { type: 'absent' }
      return new Promise((resolve) => {
        const tell: Waiting = (listing) => {
          cancel()
          resolve(listing)
        }
        const cancel = clock.after(listWaitMs, () => {
          waiting.set(ask, waiting.get(ask)?.filter((one) => one !== tell) ?? [])
          resolve({ type: 'reading' })
        })
        waiting.set(ask, [...(waiting.get(ask) ?? []), tell])
      })
    },
    /** What an agent answered. It counts only from whom it was asked of. */
    told({ ask, list, why }: Listed, session: string): void {
      if (askedOf(ask)?.session !== session) return
      sql.exec('DELETE FROM item_ask WHERE ask = ?', ask)
      if (list) keep(ask, list)
      const listing: ItemListing = list ? { type: 'listed', list } : { type: 'refused', why: why ?? 'The agent does not say why.' }
      for (const tell of waiting.get(ask) ?? []) tell(listing)
      waiting.delete(ask)
    },
  }
}
export type ItemLists = ReturnType<typeof openItemLists>
