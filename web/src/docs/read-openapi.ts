import { exampleOf, type Schema, sketch } from './sketch.ts'

export type Operation = {
  id: string
  method: string
  path: string
  tag: string
  summary: string
  description: string
  parameters: { name: string; where: string; required: boolean; type: string; description: string }[]
  body: string | undefined
  needsKey: boolean
  answers: { status: string; description: string; type: string | undefined }[]
  curl: string
}
export type ApiDocs = {
  title: string
  version: string
  description: string
  operations: Operation[]
  schemas: { name: string; text: string }[]
}

type Media = { content?: Record<string, { schema?: Schema; example?: unknown }> }
type RawOperation = {
  tags?: string[]
  summary?: string
  description?: string
  security?: Record<string, unknown>[]
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema?: Schema }[]
  requestBody?: Media
  responses?: Record<string, Media & { description?: string }>
}
export type OpenApi = {
  info?: { title?: string; version?: string; description?: string }
  paths: Record<string, Record<string, RawOperation>>
  components?: { schemas?: Record<string, Schema> }
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

/** An OpenAPI document as the docs page shows it: a flat list of operations with their types as short texts. */
export function readOpenApi(document: OpenApi, base: string): ApiDocs {
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    methods.flatMap((method) => (item[method] ? [readOperation(document, base, path, method, item[method])] : [])),
  )
  return {
    title: document.info?.title ?? 'API',
    version: document.info?.version ?? '',
    description: document.info?.description ?? '',
    operations,
    schemas: Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => ({ name, text: sketch(schema) })),
  }
}

function readOperation(document: OpenApi, base: string, path: string, method: string, raw: RawOperation): Operation {
  const body = schemaOf(raw.requestBody)
  const schemes = raw.security?.map((one) => Object.keys(one)) ?? []
  // An empty requirement among them: a key may be left out.
  const needsKey = schemes.length > 0 && schemes.every((one) => one.length > 0)
  return {
    id: `${method}-${path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')}`,
    method: method.toUpperCase(),
    path,
    tag: raw.tags?.[0] ?? path.split('/')[2] ?? 'api',
    summary: raw.summary ?? '',
    description: raw.description ?? '',
    parameters: (raw.parameters ?? []).map((one) => ({
      name: one.name,
      where: one.in,
      required: one.required ?? false,
      type: one.schema ? sketch(one.schema) : 'string',
      description: one.description ?? '',
    })),
    body: body && sketch(body),
    needsKey,
    answers: Object.entries(raw.responses ?? {}).map(([status, answer]) => {
      const schema = schemaOf(answer)
      return { status, description: answer.description ?? '', type: status.startsWith('2') && schema ? sketch(schema) : undefined }
    }),
    curl: curlOf(
      base,
      path,
      method,
      needsKey ? schemes[0]! : [],
      body && JSON.stringify(exampleIn(raw.requestBody) ?? exampleOf(body, document.components?.schemas ?? {})),
    ),
  }
}

function schemaOf(media: Media | undefined): Schema | undefined {
  return Object.values(media?.content ?? {})[0]?.schema
}

function exampleIn(media: Media | undefined): unknown {
  return Object.values(media?.content ?? {})[0]?.example
}

const credentials: Record<string, string> = {
  bearer: '-H "authorization: Bearer $BENCH_API_KEY"',
  admin: '-H "x-admin-secret: $ADMIN_SECRET"',
}

function curlOf(base: string, path: string, method: string, schemes: readonly string[], body: string | undefined): string {
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} '${base}${path}'`]
  for (const scheme of schemes) lines.push(credentials[scheme] ?? '')
  if (body) lines.push(`-H 'content-type: application/json'`, `-d '${body.replaceAll("'", "'\\''")}'`)
  return lines.join(' \\\n  ')
}
