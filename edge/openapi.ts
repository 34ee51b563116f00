import { OpenAPIHono, type RouteConfig } from '@hono/zod-openapi'
import type { Context } from 'hono'
import * as z from 'zod'
import * as api from '#shared/contract/api.ts'
import { ApartRun, Board, BoardRow, BoardRun, Leaderboard, ListingState, RunListing } from '#shared/contract/board.ts'
import { Card } from '#shared/contract/card.ts'
import { Demand } from '#shared/contract/demand.ts'
import { StreamedEvent } from '#shared/contract/event.ts'
import { LiveMessage } from '#shared/contract/live.ts'
import { parameterMeaning } from '#shared/contract/meanings/meanings.ts'
import { Model } from '#shared/contract/model.ts'
import { ProblemBody } from '#shared/contract/problem.ts'
import { Rescore, RescoreDifference, RescoreSubmission } from '#shared/contract/rescore.ts'
import { DataIdentity, RunHead } from '#shared/contract/run.ts'
import { StartRun } from '#shared/contract/start-run.ts'
import { TrialRecord } from '#shared/contract/trial.ts'
import type { AppEnv } from './app-env.ts'
import { accessSentence, securityOf } from './auth/access.ts'
import type { Deps } from './deps.ts'
import { narrowInput, tellDefaults } from './openapi-inputs.ts'
import { describeFields, holderOf, tagOf, tags } from './openapi-words.ts'
import { refusals } from './routes/answers.ts'
import { admit, type Declaration } from './routes/declare-route.ts'
import { StreamFrame } from './routes/stream-frame.ts'
import { sessionCookie } from './sign-in/session-cookie.ts'

type JsonObject = Record<string, unknown>

/** Schemas that clients generate types for; all others stand where they are used. */
const named = {
  Run: api.Run,
  BenchmarkResult: api.BenchmarkResult,
  Estimate: api.Estimate,
  RunItem: api.RunItem,
  RunItemDetail: api.RunItemDetail,
  BenchmarkPage: api.BenchmarkPage,
  BenchmarkInfo: api.BenchmarkInfo,
  PlanPreview: api.PlanPreview,
  Status: api.Status,
  Model,
  Card,
  DataIdentity,
  RunHead,
  StreamedEvent,
  StreamFrame,
  LiveMessage,
  TrialRecord,
  Rescore,
  RescoreDifference,
  Leaderboard,
  Board,
  BoardRow,
  BoardRun,
  ApartRun,
  ListingState,
  RunListing,
  Demand,
  Problem: ProblemBody,
}

/** The bodies that clients name: described as they are sent, with their defaulted fields optional. */
const bodies = { CreateRun: StartRun, RescoreSubmission }

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of this service (cbr_…) or of a Chutes account (cpk_…), or a token of Sign in with Chutes (cak_…)',
  },
  admin: { type: 'apiKey', in: 'header', name: 'X-Admin-Secret', description: 'The secret of the operator' },
  session: { type: 'apiKey', in: 'cookie', name: sessionCookie, description: 'The session of a browser that has signed in' },
}

const open = { access: { who: 'anyone' }, cost: 'cheap' } as const

/** `GET /api/openapi.json`: OpenAPI 3.1, made from the very schemas that requests and answers are parsed by; written once in the life of an app. */
export function openApiRoutes(deps: Pick<Deps, 'config'>, app: () => Pick<OpenAPIHono<AppEnv>, 'openAPIRegistry'>) {
  let text: string | undefined
  const answer = (c: Context<AppEnv>) => {
    text ??= JSON.stringify(openApiDocument(routesOf(app()), deps.config))
    return c.body(text, 200, { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' })
  }
  return new OpenAPIHono<AppEnv>().get('/api/openapi.json', admit(open), answer).get('/openapi.json', admit(open), answer)
}

type DeclaredRoute = RouteConfig & Declaration
type DocumentConfig = Pick<Deps['config'], 'version' | 'public_url' | 'providers'>

/**
 * The document over all registered routes. Zod writes the schemas itself (JSON Schema 2020-12 is what OpenAPI 3.1 uses), because the
 * generator that comes with the router does not end on `z.json()`, which contains itself.
 */
export function openApiDocument(routes: readonly DeclaredRoute[], config: DocumentConfig): JsonObject {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id })
  const { __shared: _, ...schemas } = z.toJSONSchema(registry, { uri: refTo, io: 'output', unrepresentable: 'any' }).schemas
  const known: Known = { registry, providers: config.providers.map((provider) => provider.id) }
  const input = mapValues(bodies, (schema) => inputOf(schema, known))
  const paths: Record<string, JsonObject> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, known) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Chutes Bench Runner',
      version: config.version,
      description: 'Errors are application/problem+json (RFC 9457).',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    tags,
    servers: [{ url: config.public_url || '/' }],
    paths,
    components: {
      schemas: {
        ...mapEntries(schemas, (id, schema) => describeFields(clean(schema), id)),
        ...mapEntries(input, (id, schema) => tellDefaults(describeFields(schema, id))),
      },
      securitySchemes,
    },
  }
}

function routesOf(app: Pick<OpenAPIHono<AppEnv>, 'openAPIRegistry'>): DeclaredRoute[] {
  const routes = app.openAPIRegistry.definitions.flatMap((definition) => (definition.type === 'route' ? [definition.route] : []))
  return routes as DeclaredRoute[] // all come from `declareRoute`: [ACC1]
}

/** What the parts of the document need of the whole: the schemas with names, and the providers that requests may name. */
type Known = { registry: ReturnType<typeof z.registry<{ id: string }>>; providers: readonly string[] }
const refTo = (id: string) => `#/components/schemas/${id}`

function operationOf(route: DeclaredRoute, known: Known): JsonObject {
  const { request, responses } = route
  const body = request?.body?.content
  const parameters = [
    ...parametersOf('path', request?.params, known),
    ...parametersOf('query', request?.query, known),
    ...parametersOf('header', Array.isArray(request?.headers) ? undefined : request?.headers, known),
  ]
  return {
    operationId: `${route.method}${route.path.replace(/[^A-Za-z]+(\w?)/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [tagOf(route.path)],
    summary: route.summary,
    description: `${route.description ?? `${route.summary}.`} ${accessSentence(route.access)}`,
    security: securityOf(route.access),
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: request.body?.required ?? true, content: contentOf(body, known, 'input', holderOf(route.path)) },
    }),
    responses: Object.fromEntries(
      Object.entries(withEverywhere(route.method, responses)).map(([status, answer]) => [
        status,
        {
          description: 'description' in answer ? answer.description : '',
          ...('content' in answer && answer.content && { content: contentOf(answer.content, known, 'output', holderOf(route.path)) }),
        },
      ]),
    ),
  }
}

/** What any operation may answer before its route is reached: a credential, an address or a text that does not hold. */
function withEverywhere(method: string, responses: RouteConfig['responses']): RouteConfig['responses'] {
  const foreign = method === 'get' ? {} : refusals('forbidden')
  return { ...refusals('unauthorized', 'validation', 'rate-limited', 'unavailable'), ...foreign, ...responses }
}

function parametersOf(place: 'path' | 'query' | 'header', schema: unknown, { providers }: Known): JsonObject[] {
  if (!(schema instanceof z.ZodObject)) return []
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    description: (typeof property === 'object' && property.description) || parameterMeaning(place, name),
    schema: narrowInput(clean(property), providers),
  }))
}

function contentOf(content: object, known: Known, io: 'input' | 'output', holder: string): JsonObject {
  return Object.fromEntries(
    Object.entries(content).map(([type, media]: [string, { schema: unknown; example?: unknown }]) => [
      type,
      {
        schema: (io === 'input' ? tellDefaults : same)(describeFields(schemaOf(media.schema, known, io), holder)),
        ...(media.example !== undefined && { example: media.example }),
      },
    ]),
  )
}

const same = (schema: unknown): unknown => schema

function inputOf(schema: z.ZodType, { providers }: Known): unknown {
  return narrowInput(clean(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })), providers)
}

function schemaOf(schema: unknown, known: Known, io: 'input' | 'output'): unknown {
  if (!(schema instanceof z.ZodType)) return schema
  const body = Object.entries(bodies).find(([, one]) => one === schema)
  const id = io === 'input' ? body?.[0] : known.registry.get(schema)?.id
  if (id) return { $ref: refTo(id) }
  if (io === 'input') return inputOf(schema, known)
  const inline = z.registry<{ id: string }>()
  for (const [name, one] of Object.entries(named)) inline.add(one, { id: name })
  inline.add(schema, { id: 'Inline' })
  return clean(z.toJSONSchema(inline, { uri: refTo, io, unrepresentable: 'any' }).schemas.Inline)
}

function mapValues<T, U>(record: Record<string, T>, change: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
}

function mapEntries<T, U>(record: Record<string, T>, change: (key: string, value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(key, value)]))
}

const isAnything = (schema: unknown): boolean => JSON.stringify(clean(schema)) === '{}'

/** Drops what belongs to a schema standing alone, and writes the endless `z.json()` as "any value". */
function clean(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(clean)
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node && typeof node.$ref === 'string' && node.$ref.includes('__s')) return {}
  if ('anyOf' in node && Array.isArray(node.anyOf) && node.anyOf.some(isAnything)) return {}
  const cleaned = Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => !['$schema', '$id', '$defs', '~standard'].includes(key))
      .map(([key, value]) => [key, clean(value)]),
  )
  return 'prefixItems' in cleaned ? withoutPrefix(cleaned) : cleaned
}

/** A tuple in the form that generators of clients take: they stop at `items: false`, and few know `prefixItems`. The order of the kinds is lost. */
function withoutPrefix({ prefixItems, items: _, ...rest }: Record<string, unknown>): JsonObject {
  const kinds = [...new Map((prefixItems as unknown[]).map((one) => [JSON.stringify(one), one])).values()] // zod writes a list
  const length = (prefixItems as unknown[]).length
  return { ...rest, items: kinds.length === 1 ? kinds[0] : { anyOf: kinds }, minItems: length, maxItems: length }
}
