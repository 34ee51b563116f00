import * as z from 'zod'

/** What the client itself says of a request, and the names by which a request would be another one. */
const ours = [
  ...['accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect', 'host'],
  ...['keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'user-agent'],
]
const Name = z
  .string()
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/, 'is no name of a header')
  .refine((name) => !ours.includes(name.toLowerCase()), 'is a header that is not for you to set')
const Value = z
  .string()
  .min(1)
  .max(4000)
  .regex(/^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/, 'must be one line of printable ASCII')
const most = 20
const fewOnce = (headers: object): boolean => {
  const names = Object.keys(headers)
  return names.length <= most && new Set(names.map((name) => name.toLowerCase())).size === names.length
}
const tooMany = `may have ${most} headers at most, each once`

/** A value is a secret, as passwords are given so, unless it is said to be for anybody to see. */
const Header = z.union([Value, z.strictObject({ shown: Value })])

/** Headers that go with every request to a provider, by name. */
export const ProviderHeaders = z.record(Name, Header).refine(fewOnce, tooMany)
export type ProviderHeaders = z.infer<typeof ProviderHeaders>

/** The same as people write them: a secret may be named by its variable, so that the list itself holds none. */
export const WrittenHeaders = z.record(Name, z.union([Header, z.strictObject({ env: z.string().min(1) })])).refine(fewOnce, tooMany)
export type WrittenHeaders = z.infer<typeof WrittenHeaders>

type Sender = { headers?: ProviderHeaders | undefined }

const textOf = (header: ProviderHeaders[string]): string => (typeof header === 'string' ? header : header.shown)

/** Headers as they are sent, by names in small letters: the provider's own, and its key as bearer where there is one. */
export function sentHeaders({ headers = {} }: Sender, apiKey: string | null): Record<string, string> {
  const own = Object.entries(headers).map(([name, header]) => [name.toLowerCase(), textOf(header)] as const)
  return { ...Object.fromEntries(own), ...(apiKey && { authorization: `Bearer ${apiKey}` }) }
}

/** The values among a provider's headers that nobody else may see. */
export const secretHeaders = ({ headers = {} }: Sender): string[] => Object.values(headers).filter((header) => typeof header === 'string')

/** All that a provider is opened with: its key and its secret headers. */
export const secretsOf = (provider: Sender & { api_key: string | null }): string[] => [
  ...(provider.api_key === null ? [] : [provider.api_key]),
  ...secretHeaders(provider),
]
