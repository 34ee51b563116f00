import type { ProblemCode } from '#shared/contract/problem.ts'
import type { Touched } from './auth/audit.ts'
import type { Gate } from './auth/gate.ts'
import type { Principal } from './deps.ts'

/** What middleware puts beside each request. */
export type AppEnv = { Variables: { requestId: string; principal: Principal; gate: Gate; problem?: ProblemCode; touched?: Touched | null } }
