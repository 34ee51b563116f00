import { query } from '@solidjs/router'
import { ApiKeyList } from '#shared/contract/api-keys.ts'
import { AuditPage } from '#shared/contract/audit.ts'
import { BudgetList } from '#shared/contract/budget.ts'
import { ProviderKeyList } from '#shared/contract/provider-keys.ts'
import { KeptDefaults } from '#shared/contract/run-defaults.ts'
import { SessionList } from '#shared/contract/sign-in.ts'
import { ask } from '../api.ts'
import { queryString } from '../query-string.ts'

export const getSessions = query(() => ask(SessionList, '/api/auth/sessions'), 'sessions')
export const getBudgets = query(() => ask(BudgetList, '/api/budgets'), 'budgets')
/** With a team: its log, for its admins. */
export const getAudit = query((team?: string) => ask(AuditPage, `/api/audit${queryString({ limit: 20, team })}`), 'audit')
/** With a team: its keys, for its admins. */
export const getOwnKeys = query((team?: string) => ask(ApiKeyList, `/api/keys${queryString({ team })}`), 'own-keys')
export const getProviderKeys = query(() => ask(ProviderKeyList, '/api/provider-keys'), 'provider-keys')
export const getRunDefaults = query(() => ask(KeptDefaults, '/api/run-defaults'), 'run-defaults')
