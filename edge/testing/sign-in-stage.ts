import { expect } from 'vitest'
import type { Card } from '#shared/contract/card.ts'
import { createChutesIdp } from '../adapters/chutes-idp.ts'
import { createFakeIdp, type FakeIdpOptions } from '../local/fake-idp.ts'
import { openApp } from './call-app.ts'
import { exampleModel } from './example-records.ts'

export const home = 'https://bench.example'
const idpUrl = 'https://idp.example'
const sign_in = { client_id: 'cid_test', client_secret: 'csc_test', idp_url: idpUrl, frontend_url: '' }
const callback = `${home}/api/auth/callback`

type Options = Partial<FakeIdpOptions> & { frontend_url?: string; cards?: readonly Card[] }

/** Opens the app with the fake identity provider and browsers that store cookies. */
export function openSignIn({ frontend_url = '', cards, ...options }: Options = {}) {
  const clock = { now: Date.parse('2026-01-02T03:04:05.000Z') }
  const idp = createFakeIdp({
    ...sign_in,
    redirect_uris: [callback, 'https://ui.example/api/auth/callback'],
    now: () => clock.now,
    ...options,
  })
  const app = openApp({ ...(cards && { cards }), config: { sign_in: { ...sign_in, frontend_url } } })
  app.deps.now = () => new Date(clock.now)
  const away = { is: false }
  app.deps.idp = createChutesIdp(
    sign_in,
    async (url, init) => (away.is ? Promise.reject(new TypeError('no route')) : idp.answer(new Request(url, init))),
    () => clock.now,
  )
  app.record.models.set(exampleModel().id, exampleModel())
  return { ...app, idp, clock, away, browser: () => browserOf(app, idp) }
}

function browserOf(app: ReturnType<typeof openApp>, idp: ReturnType<typeof createFakeIdp>) {
  const jar = new Map<string, string>()
  const keep = (response: Response): Response => {
    for (const line of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!
      if (line.includes('Max-Age=0')) jar.delete(name!)
      else jar.set(name!, value!)
    }
    return response
  }
  const call = async (method: string, path: string, given: { body?: unknown; headers?: Record<string, string> } = {}) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
    return keep(await app.call(method, path, { ...given, headers: { ...(cookie && { cookie }), ...given.headers } }))
  }
  /** Starts a sign-in and returns the callback URL. `change` edits the consent form. */
  const begin = async (return_to = '/runs', change: (form: URLSearchParams) => void = () => undefined) => {
    const login = await call('GET', `/api/auth/login?return_to=${encodeURIComponent(return_to)}`)
    expect(login.status).toBe(302)
    const url = new URL(login.headers.get('location')!)
    const form = new URLSearchParams([...url.searchParams, ['person', 'a1b2c3']])
    change(form)
    const there = await idp.answer(new Request(`${url.origin}${url.pathname}`, { method: 'POST', body: form }))
    return new URL(there.headers.get('location')!)
  }
  const finish = (back: URL, accept = 'text/html') => call('GET', `${back.pathname}${back.search}`, { headers: { accept } })
  const signIn = async (...given: Parameters<typeof begin>) => finish(await begin(...given))
  const status = async () => (await call('GET', '/api/auth/status')).json()
  return { jar, call, begin, finish, signIn, status }
}
