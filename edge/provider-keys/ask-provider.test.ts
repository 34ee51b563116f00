import { expect, test } from 'vitest'
import type { OwnProvider } from '#shared/contract/run.ts'
import { ownProviders } from '#shared/providers/own-providers.ts'
import { askProvider, mostModels } from './ask-provider.ts'

const [openRouter, openAi, chutes] = ownProviders as [OwnProvider, OwnProvider, OwnProvider]
const gateway: OwnProvider = { id: 'gw.example', label: 'gw.example', kind: 'openai', base_url: 'https://gw.example' }

type Answers = Record<string, (authorization: string | undefined) => Response>

/** Asks the provider with the key `secret`. Returns the answer and each request as `url authorization`. */
async function ask(provider: OwnProvider, answers: Answers, chutesSays: 'good' | 'bad' | 'away' = 'away') {
  const asked: string[] = []
  const told = await askProvider(provider, 'secret', {
    async fetch(url, init) {
      const { authorization } = init!.headers as Record<string, string>
      asked.push(`${url} ${authorization ?? '–'}`)
      expect(init!.redirect).toBe('manual')
      const answer = answers[url]
      if (!answer) throw new TypeError(`nothing listens at ${url}`)
      return answer(authorization)
    },
    chutesKeys: {
      check: async () =>
        chutesSays === 'good' ? { is: 'good', account: null } : chutesSays === 'bad' ? { is: 'bad' } : { is: 'away', why: '' },
    },
  })
  return { ...told, asked }
}
const list = (...ids: string[]) => Response.json({ data: ids.map((id) => ({ id })) })
const status = (code: number) => new Response('secret words', { status: code })

test('[OWNKEY3] OpenRouter says by its own address whether it takes a key, as its list is for everybody', async () => {
  const { base_url } = openRouter
  const models = { [`${base_url}/models`]: () => list('a', 'b') }
  const good = await ask(openRouter, { ...models, [`${base_url}/key`]: () => Response.json({}) })
  expect([good.verdict, good.models?.map(({ id }) => id)]).toEqual(['good', ['a', 'b']])
  expect(good.asked).toEqual([`${base_url}/models Bearer secret`, `${base_url}/key Bearer secret`])
  expect(await ask(openRouter, { ...models, [`${base_url}/key`]: () => status(401) })).toMatchObject({ verdict: 'refused' })
  expect(await ask(openRouter, { ...models, [`${base_url}/key`]: () => status(500) })).toMatchObject({ verdict: 'untold' })
  expect(await ask(openRouter, {})).toMatchObject({ verdict: 'untold', models: null, base_url })
})

test('[OWNKEY3] a list that opens with the key alone proves it good; one for everybody, a refused list and silence tell nothing', async () => {
  const at = `${openAi.base_url}/models`
  const closed = await ask(openAi, { [at]: (given) => (given ? list('gpt') : status(401)) })
  expect([closed.verdict, closed.asked]).toEqual(['good', [`${at} Bearer secret`, `${at} –`]])
  expect(await ask(openAi, { [at]: () => list('gpt') })).toMatchObject({ verdict: 'untold' })
  expect(await ask(openAi, { [at]: () => status(401) })).toMatchObject({ verdict: 'refused', models: null })
  expect(await ask(openAi, { [at]: () => status(403) })).toMatchObject({ verdict: 'untold', models: null })
  for (const odd of [() => status(302), () => new Response('no json'), () => Response.json({ items: [] })])
    expect(await ask(openAi, { [at]: odd })).toMatchObject({ verdict: 'untold', models: null })
  const many = Array.from({ length: mostModels + 1 }, (_, index) => `m${index}`)
  expect((await ask(openAi, { [at]: () => list(...many) })).models).toHaveLength(mostModels)
})

test('[OWNKEY3] Chutes is asked for the account of a key; a server without a list is looked at below /v1', async () => {
  const at = `${chutes.base_url}/models`
  for (const [says, verdict] of [
    ['good', 'good'],
    ['bad', 'refused'],
    ['away', 'untold'],
  ] as const)
    expect(await ask(chutes, { [at]: () => list('org/m') }, says)).toMatchObject({ verdict })
  const below = await ask(gateway, { 'https://gw.example/models': () => status(404), 'https://gw.example/v1/models': () => list('m') })
  expect([below.base_url, below.models?.length]).toEqual(['https://gw.example/v1', 1])
  expect(await ask(gateway, { 'https://gw.example/models': () => status(404) })).toMatchObject({ base_url: 'https://gw.example' })
})
