import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { requestId } from 'hono/request-id'
import type { Recomputation } from '#shared/export/verify-results.ts'
import { allowOrigins } from './allow-origins.ts'
import type { AppEnv } from './app-env.ts'
import { createGate } from './auth/gate.ts'
import { identify } from './auth/principal.ts'
import { countProblems } from './count-problems.ts'
import type { Deps } from './deps.ts'
import { createGuessGuard } from './limits/refuse-guessing.ts'
import { openApiRoutes } from './openapi.ts'
import { onError, Problem, problemResponse, validationProblem } from './problem.ts'
import { requestIds } from './request-id.ts'
import { limitRequests } from './request-limits.ts'
import { agentRoutes, socketRoutes } from './routes/agents.ts'
import { artifactDownloadRoutes } from './routes/artifact-download.ts'
import { artifactUploadRoutes } from './routes/artifact-upload.ts'
import { auditRoutes } from './routes/audit.ts'
import { benchmarkItemRoutes } from './routes/benchmark-items.ts'
import { benchmarkRoutes } from './routes/benchmarks.ts'
import { budgetRoutes } from './routes/budgets.ts'
import { demandRoutes } from './routes/demand.ts'
import { exportRoutes } from './routes/exports.ts'
import { harborImportRoutes } from './routes/harbor-import.ts'
import { healthRoutes } from './routes/health.ts'
import { janusCompositeRoutes } from './routes/janus-composite.ts'
import { keyRoutes } from './routes/keys.ts'
import { leaderboardRoutes } from './routes/leaderboard.ts'
import { metricsRoutes } from './routes/metrics.ts'
import { modelRoutes } from './routes/models.ts'
import { opsRoutes } from './routes/ops.ts'
import { opsSandyRoutes } from './routes/ops-sandy.ts'
import { formerPages, predecessorRoutes } from './routes/predecessor.ts'
import { providerKeyRoutes } from './routes/provider-keys.ts'
import { runAgainRoutes } from './routes/run-again.ts'
import { runCommandRoutes } from './routes/run-commands.ts'
import { runCompositeRoutes } from './routes/run-composites.ts'
import { runCreateRoutes } from './routes/run-create.ts'
import { runDefaultsRoutes } from './routes/run-defaults.ts'
import { runEventRoutes } from './routes/run-events.ts'
import { runExportRoutes } from './routes/run-export.ts'
import { handedOverRoutes } from './routes/run-handed-over.ts'
import { runItemRoutes } from './routes/run-items.ts'
import { runLiveRoutes } from './routes/run-live.ts'
import { runRegradeRoutes } from './routes/run-regrade.ts'
import { agentReplayRoutes, runReplayRoutes } from './routes/run-replay.ts'
import { runRescoreRoutes } from './routes/run-rescores.ts'
import { runUploadRoutes } from './routes/run-uploads.ts'
import { runRoutes } from './routes/runs.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { taskEpisodeRoutes } from './routes/task-episodes.ts'
import { taskExecuteRoutes } from './routes/task-execute.ts'
import { taskUploadRoutes } from './routes/task-upload.ts'
import { taskRoutes } from './routes/tasks.ts'
import { teamInvitationRoutes } from './routes/team-invitations.ts'
import { teamRoutes } from './routes/teams.ts'
import { secureAnswers } from './secure-answers.ts'

/**
 * The whole HTTP API over its ports. It names no platform: the Worker, the tests and a plain Node server mount the same app.
 * `recomputation` lets the verifying endpoint score anew; without it, signatures, hashes and aggregates are checked only.
 */
export function createApp(deps: Deps, recomputation: Recomputation = {}) {
  const app = new OpenAPIHono<AppEnv>({
    strict: false,
    defaultHook: (result) => {
      if (!result.success) throw validationProblem(result.target, result.error)
    },
  })
  app.onError(onError)
  app.notFound((c) => problemResponse(new Problem('not-found', `There is nothing at ${c.req.path}.`), c))
  app.use(requestId(requestIds(deps.newId)), countProblems(deps), secureAnswers, limitRequests)
  const literal = literalPaths(() => app.routes)
  app.use(allowOrigins(deps.config.access.cors_origins), literal, methodNotAllowed({ app, onMethodNotAllowed: refuseMethod }))
  const guard = createGuessGuard(deps)
  const gate = createGate(deps, guard)
  app.use(async (c, next) => {
    c.set('gate', gate)
    await next()
  })
  app.route('/', socketRoutes(deps))
  app.route('/', artifactUploadRoutes(deps))
  app.route('/', agentReplayRoutes(deps))
  app.route('/', runUploadRoutes(deps))
  app.route('/', handedOverRoutes(deps))
  app.use(identify(deps, guard))
  return app
    .route('/', healthRoutes(deps))
    .route('/', metricsRoutes(deps))
    .route('/', modelRoutes(deps))
    .route('/', benchmarkRoutes(deps))
    .route('/', benchmarkItemRoutes(deps))
    .route('/', runCreateRoutes(deps))
    .route('/', runAgainRoutes(deps))
    .route('/', runRoutes(deps))
    .route('/', runCommandRoutes(deps))
    .route('/', runItemRoutes(deps))
    .route('/', artifactDownloadRoutes(deps))
    .route('/', runEventRoutes(deps))
    .route('/', runLiveRoutes(deps))
    .route('/', runReplayRoutes(deps))
    .route('/', runRegradeRoutes(deps))
    .route('/', runExportRoutes(deps))
    .route('/', janusCompositeRoutes(deps))
    .route('/', runCompositeRoutes(deps))
    .route('/', runRescoreRoutes(deps, recomputation.tasks))
    .route('/', harborImportRoutes(deps))
    .route('/', taskRoutes(deps))
    .route('/', taskUploadRoutes(deps))
    .route('/', taskExecuteRoutes(deps))
    .route('/', taskEpisodeRoutes(deps))
    .route('/', leaderboardRoutes(deps))
    .route('/', exportRoutes(deps, recomputation))
    .route('/', agentRoutes(deps))
    .route('/', demandRoutes(deps))
    .route('/', opsRoutes(deps))
    .route('/', opsSandyRoutes(deps))
    .route('/', keyRoutes(deps))
    .route('/', providerKeyRoutes(deps))
    .route('/', runDefaultsRoutes(deps))
    .route('/', budgetRoutes(deps))
    .route('/', auditRoutes(deps))
    .route('/', teamRoutes(deps))
    .route('/', teamInvitationRoutes(deps))
    .route('/', signInRoutes(deps))
    .route('/', predecessorRoutes(deps))
    .route(
      '/',
      openApiRoutes(deps, () => app),
    )
}

/** The typed surface of the API for clients: `hc<AppType>(url)`. */
export type AppType = ReturnType<typeof createApp>

/** Whether a request is the API's to answer rather than the pages': its own paths, and what the predecessor's clients ask outside them. */
export function belongsToApi(request: Request): boolean {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith('/api/') || pathname === '/openapi.json' || pathname in formerPages) return true
  const accept = request.headers.get('accept') ?? ''
  return pathname === '/' && accept.includes('application/json') && !accept.includes('text/html')
}

/** A path of words alone takes its own methods only: `GET /api/runs/plan` asks for no run of that name. */
function literalPaths(routes: () => readonly { method: string; path: string }[]): MiddlewareHandler<AppEnv> {
  let known: Map<string, string[]> | undefined
  return async (c, next) => {
    known ??= methodsByPath(routes())
    const methods = known.get(c.req.path.replace(/(?<=.)\/$/, ''))
    if (methods && !methods.includes(c.req.method)) return refuseMethod(c, methods)
    return next()
  }
}

function methodsByPath(routes: readonly { method: string; path: string }[]): Map<string, string[]> {
  const own = routes.filter(({ method, path }) => method !== 'ALL' && !path.includes(':'))
  const grouped = Map.groupBy(own, (route) => route.path)
  return new Map([...grouped].map(([path, all]) => [path, withHead([...new Set(all.map((route) => route.method))])]))
}

const withHead = (methods: string[]): string[] => (methods.includes('GET') ? [...methods, 'HEAD'] : methods)

const refuseMethod = (c: Context, methods: string[]): Response => {
  const allow = [...methods, 'OPTIONS'].join(', ')
  if (c.req.method === 'OPTIONS') return c.body(null, 204, { allow })
  const response = problemResponse(new Problem('method-not-allowed', `${c.req.path} takes ${allow}.`), c)
  response.headers.set('allow', allow)
  return response
}
