import * as z from 'zod'
import { dockerHub } from '#shared/dockerfile/image-name.ts'

/** What an operator gives the agent to log in with at a registry. */
const Login = z.object({ registry: z.string().min(1), username: z.string().min(1), password: z.string().min(1) })
export type RegistryLogin = z.infer<typeof Login>

/** Where Docker keeps the hub's login. */
const hubAddress = 'https://index.docker.io/v1/'

/** The login for a registry, as an engine takes it in a header; undefined where the operator gave none. */
export function loginFor(registry: string, logins: readonly RegistryLogin[]): object | undefined {
  const login = logins.find((one) => one.registry === registry)
  return login && { username: login.username, password: login.password, serveraddress: registry === dockerHub ? hubAddress : registry }
}

/** All logins by the address that a builder looks for. */
export const loginsByAddress = (logins: readonly RegistryLogin[]): Record<string, object> =>
  Object.fromEntries(
    logins.map(({ registry, username, password }) => [registry === dockerHub ? hubAddress : registry, { username, password }]),
  )

/** Logins as the environment has them: a JSON list of `{registry, username, password}`. Throws in a sentence that quotes nothing of it. */
export function readLogins(text: string | undefined): readonly RegistryLogin[] {
  if (!text?.trim()) return []
  try {
    return z.array(Login).parse(JSON.parse(text))
  } catch {
    throw new Error('BENCH_REGISTRY_LOGINS is no JSON list of logins with registry, username and password.')
  }
}
