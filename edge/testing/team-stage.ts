import { CreatedInvitation, TeamDetail } from '#shared/contract/team.ts'
import type { TeamRole } from '#shared/contract/team-rights.ts'
import { openSignIn } from './sign-in-stage.ts'

const people = ['ada', 'grace', 'eve', 'kim'].map((username) => ({ sub: `sub-${username}`, username }))
export type PersonName = 'ada' | 'grace' | 'eve' | 'kim'

/** The app with signed-in people, a team of ada's, and what is needed to put the others into it. */
export async function openTeam(roles: Partial<Record<PersonName, TeamRole>> = {}) {
  const app = openSignIn({ people })
  const signIn = async (name: PersonName, change: (form: URLSearchParams) => void = () => undefined) => {
    const browser = app.browser()
    await browser.signIn('/', (form) => {
      form.set('person', `sub-${name}`)
      change(form)
    })
    return browser
  }
  const ada = await signIn('ada')
  const team = TeamDetail.parse(await (await ada.call('POST', '/api/teams', { body: { name: 'Evaluation' } })).json())
  const invite = async (body: object) =>
    CreatedInvitation.parse(await (await ada.call('POST', `/api/teams/${team.id}/invitations`, { body })).json())
  const join = async (browser: typeof ada, secret: string) => browser.call('POST', '/api/teams/join', { body: { secret } })
  const browsers = { ada } as Record<PersonName, typeof ada>
  for (const [name, role] of Object.entries(roles) as [PersonName, TeamRole][]) {
    browsers[name] = await signIn(name)
    await join(browsers[name], (await invite({ role })).secret)
  }
  const show = async (browser = ada) => TeamDetail.parse(await (await browser.call('GET', `/api/teams/${team.id}`)).json())
  return { ...app, ...browsers, signIn, team, owner_id: `team:${team.id}`, invite, join, show }
}
