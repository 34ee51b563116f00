import { query } from '@solidjs/router'
import { ApiKeyList } from '#shared/contract/api-keys.ts'
import { AuditPage } from '#shared/contract/audit.ts'
import { BudgetList } from '#shared/contract/budget.ts'
import { ProviderKeyList } from '#shared/contract/provider-keys.ts'
import { KeptDefaults } from '#shared/contract/run-defaults.ts'
import { SessionList } from '#shared/contract/sign-in.ts'
import { ask } from '../api.ts'

export const getSessions = query(() => ask(SessionList, '/api/auth/sessions'), 'sessions')
export const getBudgets = query(() => ask(BudgetList, '/api/budgets'), 'budgets')
export const getAudit = query(() => ask(AuditPage, '/api/audit?limit=20'), 'audit')
export const getOwnKeys = query(() => ask(ApiKeyList, '/api/keys'), 'own-keys')
export const getProviderKeys = query(() => ask(ProviderKeyList, '/api/provider-keys'), 'provider-keys')
export const getRunDefaults = query(() => ask(KeptDefaults, '/api/run-defaults'), 'run-defaults')
