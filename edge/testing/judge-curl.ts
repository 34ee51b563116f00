import { asAdmin, openApp } from './call-app.ts'

type Schema = { properties?: Record<string, unknown>; $ref?: string }
type Operation = { parameters?: { name: string; in: string }[]; requestBody?: { content: Record<string, { schema: Schema }> } }
type ApiDocument = { paths: Record<string, Record<string, Operation>> }

const app = openApp()
let document: Promise<ApiDocument> | undefined

async function readApi(): Promise<ApiDocument> {
  return (await (await app.call('GET', '/api/openapi.json')).json()) as ApiDocument
}

/** The operation of the API at this address and its template; undefined where there is none. Parts such as `ID`, `$RUN` and `{agent_id}` stand for anything. */
async function findOperation(method: string, path: string): Promise<Operation | undefined> {
  return (await findPath(path))?.[method.toLowerCase()]
}

/** The operations at an address, by method in small letters. */
export async function findPath(path: string): Promise<Record<string, Operation> | undefined> {
  document ??= readApi()
  const { paths } = await document
  const parts = path.split('/')
  const [found] = Object.entries(paths)
    .filter(([template]) => {
      const own = template.split('/')
      return own.length === parts.length && own.every((part, at) => part.startsWith('{') || part === parts[at])
    })
    .toSorted(([a], [b]) => a.split('{').length - b.split('{').length)
  return found?.[1]
}

const valued = new Set(['-X', '-H', '-d', '-F', '--data-binary', '-o'])
/** What an agent serves where `BENCH_METRICS` says (`fleet/telemetry/serve-metrics.ts`). */
const ofAgents = ['/metrics', '/health']

/** What is wrong with a `curl` command, or null: method and path are a route's, its query and form have fields of the route, and the route takes its body. */
export async function judgeCurl(words: readonly string[]): Promise<string | null> {
  const given: Record<string, string[]> = {}
  const addresses: string[] = []
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    if (valued.has(word)) given[word] = [...(given[word] ?? []), words[++at] ?? '']
    else if (/^-[fsSN]+$/.test(word)) continue
    else if (word.startsWith('-')) return `curl is not given ${word} here`
    else addresses.push(word)
  }
  const [address = '', more] = addresses
  if (more !== undefined) return `curl is given two addresses: ${address} ${more}`
  const [, host, path = '', query = ''] = /^(\$\w+|URL|[\w.-]+:\d+|https?:\/\/[^/]+)(\/[^?]*)(?:\?(.*))?$/.exec(address) ?? []
  if (host === undefined) return `${address} is no address of the API`
  if (host === '$OPENAI_BASE_URL') return path === '/chat/completions' ? null : `a model has no ${path}`
  if (/:9464$/.test(host)) return ofAgents.includes(path) ? null : `an agent serves no ${path}`
  const body = given['-d']?.[0]
  const method = given['-X']?.[0] ?? ((body ?? given['-F'] ?? given['--data-binary']) ? 'POST' : 'GET')
  const operation = await findOperation(method, path)
  if (!operation) return `there is no route ${method} ${path}`
  const known = operation.parameters?.filter((one) => one.in === 'query').map(({ name }) => name) ?? []
  const strange = [...new URLSearchParams(query).keys()].find((name) => !known.includes(name))
  if (strange !== undefined) return `${method} ${path} has no parameter ${strange}`
  const form = operation.requestBody?.content['multipart/form-data']?.schema
  const field = given['-F']?.map((one) => one.split('=')[0]!).find((name) => form?.properties?.[name] === undefined)
  if (field !== undefined) return `the form of ${method} ${path} has no field ${field}`
  return body === undefined ? null : refusedBody(method, path, body)
}

async function refusedBody(method: string, path: string, text: string): Promise<string | null> {
  const answer = await app.call(method, path, { body: text, headers: asAdmin })
  const said = (await answer.json()) as { code?: string; detail?: string }
  const refused = answer.status >= 500 || ['validation', 'bad-request', 'unsupported-media-type', 'unauthorized'].includes(said.code ?? '')
  return refused ? `${method} ${path} refuses the body: ${said.detail}` : null
}
