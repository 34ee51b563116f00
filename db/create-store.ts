import { type Database, databaseError } from './connect.ts'
import { listAgents, saveAgent } from './queries/agents.ts'
import { findArtifact, listArtifacts, listUnnamedArtifacts } from './queries/artifacts.ts'
import { addAudit, listAudit } from './queries/audit.ts'
import { listBenchmarkLatency, saveMetrics } from './queries/benchmarks.ts'
import { findWithdrawal, listBoards, listPlaces, readBoard, withdrawRun } from './queries/boards.ts'
import { listBudgets, saveBudget } from './queries/budgets.ts'
import { drain } from './queries/drain.ts'
import { listEvents } from './queries/events.ts'
import { listItemRows } from './queries/item-rows.ts'
import { createKey, findKey, listKeys, revokeKey, touchKey } from './queries/keys.ts'
import { findModel, listModels, upsertModels } from './queries/models.ts'
import { readOps } from './queries/ops.ts'
import { ensureOwner, findOwners, hasOwner } from './queries/owners.ts'
import { deleteProviderKey, listProviderKeys, noteProviderKey, saveProviderKey, useProviderKey } from './queries/provider-keys.ts'
import { findRescore, listEvidence, listRescoreDifferences, listRescores, saveRescore } from './queries/rescores.ts'
import {
  countOpenRuns,
  createRun,
  findCredential,
  findIdempotent,
  findReplayAnswers,
  findRun,
  labelRun,
  listOpenRuns,
  listRegrades,
  listRuns,
  shareRun,
} from './queries/runs.ts'
import { createSession, endSession, findSession, listSessions, touchSession } from './queries/sessions.ts'
import { ping, readSetting, writeSetting } from './queries/settings.ts'
import { listSigningKeys, saveSigningKey } from './queries/signing-keys.ts'
import {
  countTasks,
  createTask,
  deleteTask,
  findNewestTask,
  findTask,
  listLatestRuns,
  listTaskRuns,
  listTasks,
  listUnnamedArchives,
} from './queries/tasks.ts'
import { acceptInvitation, createInvitation, findInvitation, revokeInvitation } from './queries/team-invitations.ts'
import { changeMember, createTeam, deleteTeam, findTeam, listTeams, removeMember, renameTeam } from './queries/teams.ts'
import { countTrials, findItem, listItems, listMetricRows, listTrials, summarise } from './queries/trials.ts'
import type { Store } from './store.ts'

type Queries = { [K in keyof Store]: (db: Database, ...args: Parameters<Store[K]>) => ReturnType<Store[K]> }

const queries = {
  ping,
  countOpenRuns,
  createRun,
  labelRun,
  shareRun,
  findIdempotent,
  findRun,
  listRuns,
  listOpenRuns,
  findCredential,
  findReplayAnswers,
  listRegrades,
  drain,
  saveMetrics,
  listMetricRows,
  listItems,
  listItemRows,
  findItem,
  listTrials,
  countTrials,
  summarise,
  findArtifact,
  listArtifacts,
  listUnnamedArtifacts,
  listEvents,
  upsertModels,
  listModels,
  findModel,
  listBenchmarkLatency,
  saveAgent,
  listAgents,
  readOps,
  createKey,
  findKey,
  listKeys,
  revokeKey,
  touchKey,
  ensureOwner,
  hasOwner,
  findOwners,
  createSession,
  findSession,
  listSessions,
  touchSession,
  endSession,
  listProviderKeys,
  saveProviderKey,
  noteProviderKey,
  useProviderKey,
  deleteProviderKey,
  saveSigningKey,
  listSigningKeys,
  listEvidence,
  saveRescore,
  listRescores,
  findRescore,
  listRescoreDifferences,
  listBoards,
  listPlaces,
  readBoard,
  withdrawRun,
  findWithdrawal,
  createTask,
  listTasks,
  findTask,
  findNewestTask,
  deleteTask,
  listTaskRuns,
  listLatestRuns,
  listUnnamedArchives,
  countTasks,
  createTeam,
  listTeams,
  findTeam,
  renameTeam,
  deleteTeam,
  changeMember,
  removeMember,
  createInvitation,
  revokeInvitation,
  findInvitation,
  acceptInvitation,
  readSetting,
  writeSetting,
  listBudgets,
  addAudit,
  listAudit,
  saveBudget,
} satisfies Queries

/** The record over one database. Errors of the connection come out as `DatabaseAway`, those of a statement as the driver's own. */
export function createStore(db: Database): Store {
  const bind =
    (query: (db: Database, ...args: never[]) => Promise<unknown>) =>
    async (...args: never[]): Promise<unknown> => {
      try {
        return await query(db, ...args)
      } catch (error) {
        throw databaseError(error)
      }
    }
  // `satisfies Queries` above holds every method to its signature; binding the first argument leaves the rest as it is.
  return Object.fromEntries(Object.entries(queries).map(([name, query]) => [name, bind(query)])) as unknown as Store
}
