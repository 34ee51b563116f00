import type { BoardPage, Store, StoredBoard, Withdrawal } from '#db/store.ts'
import { Board, type RunPlace } from '#shared/contract/board.ts'

/** The boards of the tests' store are what a test puts there: who sees what of a run is the database's to find out. */
export type MemoryBoards = {
  listed: StoredBoard[]
  pages: Map<string, BoardPage>
  withdrawals: Map<string, Withdrawal>
  places: Map<string, RunPlace[]>
}
type BoardMethods = 'listBoards' | 'readBoard' | 'withdrawRun' | 'findWithdrawal' | 'listPlaces'
const empty: BoardPage = { rows: [], total: 0, apart: [], withdrawn: [] }

export function memoryBoards({ listed, pages, withdrawals, places }: MemoryBoards): Pick<Store, BoardMethods> {
  return {
    listBoards: async () => listed,
    async readBoard(id) {
      if (!Board.shape.id.safeParse(id).success) throw new Error('invalid input syntax for type uuid') // as PostgreSQL refuses it
      return pages.get(id) ?? empty
    },
    async withdrawRun(run_id, withdrawal) {
      if (withdrawal) withdrawals.set(run_id, withdrawal)
      else withdrawals.delete(run_id)
    },
    findWithdrawal: async (run_id) => withdrawals.get(run_id),
    listPlaces: async (run_id) => places.get(run_id) ?? [],
  }
}
