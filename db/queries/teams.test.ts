import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TeamRole } from '#shared/contract/team-rights.ts'
import { openTestDatabase, type TestDatabase } from '../embedded/test-database.ts'
import { exampleHead, exampleSpec } from '../example-run.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const at = '2026-11-01T10:00:00.000Z'
const later = '2026-11-08T10:00:00.000Z'
const bounds = { members: 100, memberships: 50 }
const person = (name: string) => ({ owner_id: `chutes-${name}`, username: name, joined_at: at })

/** A team of its own for each test, with these members beside its maker. */
async function openTeam(maker: string, others: Record<string, TeamRole> = {}) {
  const { store } = database
  const id = crypto.randomUUID()
  const team = { id, name: `Team of ${maker}`, made_by: `chutes-${maker}`, created_at: at }
  expect(await store.createTeam(team, { ...person(maker), role: 'admin' }, 10)).toBe(true)
  let invited = 0
  const invite = async (role: TeamRole, username: string | null = null, expires_at = later) => {
    const sha256 = `${id}-${invited++}`
    const invitation = { id: sha256, team_id: id, role, sha256, username, expires_at, used_at: null, made_by: team.made_by }
    expect(await store.createInvitation(invitation, 50, at)).toBe(true)
    return sha256
  }
  for (const [name, role] of Object.entries(others)) await store.acceptInvitation(await invite(role), person(name), bounds)
  const roles = async () => {
    const found = await store.findTeam(id, at)
    return Object.fromEntries(found?.members.map(({ username, role }) => [username, role]) ?? [])
  }
  return { of: { id, owner_id: `team:${id}` }, team, invite, roles }
}

test('[TEAM4] an invitation is accepted once, in time, and by the person whom it names', async () => {
  const { store } = database
  const { team, invite, roles } = await openTeam('ada')
  const accept = async (sha256: string, name: string, joined_at = at) =>
    (await store.acceptInvitation(sha256, { ...person(name), joined_at }, bounds))?.role
  const open = await invite('runner')
  expect((await store.findTeam(team.id, at))?.invitations.map(({ role, used_at }) => [role, used_at])).toEqual([['runner', null]])
  const both = await Promise.all([accept(open, 'bob'), accept(open, 'eve')])
  expect(both.filter(Boolean)).toEqual(['runner'])
  expect(Object.keys(await roles())).toHaveLength(2)
  expect((await store.findInvitation(open))?.used_at).toBe(at)
  expect([await accept(await invite('viewer', null, at), 'carl'), await accept('unknown', 'carl')]).toEqual([undefined, undefined])
  const named = await invite('viewer', 'Dora')
  expect([await accept(named, 'carl'), await accept(named, 'dora')]).toEqual([undefined, 'viewer'])
  const taken = await invite('viewer')
  expect([await store.revokeInvitation(crypto.randomUUID(), taken), await store.revokeInvitation(team.id, taken)]).toEqual([false, true])
  expect(await accept(taken, 'carl')).toBeUndefined()
})

test('[TEAM4] a member keeps the higher role, whichever an invitation gives', async () => {
  const { store } = database
  const { invite, roles } = await openTeam('ada', { bob: 'viewer' })
  const accept = async (role: TeamRole, name: string) => (await store.acceptInvitation(await invite(role), person(name), bounds))?.role
  expect([await accept('runner', 'bob'), await accept('viewer', 'bob'), await accept('viewer', 'ada')]).toEqual([
    'runner',
    'runner',
    'admin',
  ])
  expect(await roles()).toEqual({ ada: 'admin', bob: 'runner' })
})

test('[TEAM5] the last admin stays one, also when two admins leave or demote each other at once', async () => {
  const { store } = database
  for (let round = 0; round < 5; round++) {
    const { of, roles } = await openTeam(`a${round}`, { b: 'admin' })
    const done = await Promise.all([store.removeMember(of, `chutes-a${round}`), store.changeMember(of, 'chutes-b', 'viewer')])
    expect(done.toSorted()).toEqual(['done', 'kept'])
    const left = await roles()
    expect(Object.values(left).filter((role) => role === 'admin')).toHaveLength(1)
  }
  const { of } = await openTeam('ann', { bob: 'viewer' })
  expect([await store.changeMember(of, 'chutes-ann', 'admin'), await store.changeMember(of, 'chutes-zoe', 'admin')]).toEqual([
    'done',
    'gone',
  ])
  expect([await store.removeMember(of, 'chutes-ann'), await store.removeMember(of, 'chutes-bob')]).toEqual(['kept', 'done'])
})

test('[TEAM6] keys of a team are revoked when the admin who made them is demoted or leaves, and no others', async () => {
  const { store } = database
  const { of } = await openTeam('ada', { bob: 'admin', carl: 'admin' })
  const key = { name: 'k', scopes: ['runs:read'], expires_at: null, revoked_at: null, used_at: null }
  for (const name of ['ada', 'bob', 'carl'])
    await store.createKey({ ...key, id: `${of.id}-${name}`, owner_id: of.owner_id, made_by: `chutes-${name}`, sha256: `${of.id}-${name}` })
  await store.createKey({ ...key, id: `${of.id}-own`, owner_id: 'chutes-bob', made_by: null, sha256: `${of.id}-own` })
  const alive = async () =>
    (await store.listKeys([of.owner_id, 'chutes-bob']))
      .filter(({ revoked_at }) => revoked_at === null)
      .map(({ id }) => id.slice(37))
      .sort()
  expect((await store.listKeys([of.owner_id]))[0]!.owner).toBe('Team of ada')
  await store.changeMember(of, 'chutes-bob', 'admin')
  expect(await alive()).toEqual(['ada', 'bob', 'carl', 'own'])
  await store.changeMember(of, 'chutes-bob', 'runner')
  await store.removeMember(of, 'chutes-carl')
  expect(await alive()).toEqual(['ada', 'own'])
  // One that was made while its admin was demoted.
  await store.createKey({ ...key, id: `${of.id}-late`, owner_id: of.owner_id, made_by: 'chutes-bob', sha256: `${of.id}-late` })
  const holds = async (name: string) => (await store.findKey(`${of.id}-${name}`))?.revoked_at === null
  expect([await holds('late'), await holds('ada'), await holds('own'), await holds('carl')]).toEqual([false, true, true, false])
})

test('[TEAM10] a team with an open run stays; a deleted one takes its tasks, invitations, budget and keys with it', async () => {
  const { store } = database
  const { of, team, invite } = await openTeam('ada', { dan: 'viewer' })
  const secret = await invite('viewer')
  const key = { id: of.id, name: 'k', scopes: [], expires_at: null, revoked_at: null, used_at: null, made_by: team.made_by }
  await store.createKey({ ...key, owner_id: of.owner_id, sha256: of.id })
  await store.saveBudget({ holder: of.owner_id, day_usd: 1, month_usd: null, set_by: 'owner' })
  const spec = exampleSpec({ owner_id: of.owner_id })
  const head = exampleHead(spec)
  await store.createRun(spec, head, null)
  expect(await store.deleteTeam(of.id, of.owner_id)).toBe('kept')
  const ended = { ...head, status: 'canceled' as const, seq: head.seq + 1, completed_at: at }
  await store.drain({ run_id: spec.run_id, openings: [], trials: [], events: [], head: ended })
  expect(await store.deleteTeam(of.id, of.owner_id)).toBe('done')
  expect(await store.deleteTeam(of.id, of.owner_id)).toBe('gone')
  expect([await store.findTeam(of.id, at), await store.findInvitation(secret), await store.listTeams('chutes-dan')]).toEqual([
    undefined,
    undefined,
    [],
  ])
  expect((await store.findKey(of.id))?.revoked_at).not.toBeNull()
  expect(await store.listBudgets([of.owner_id])).toEqual([])
  expect((await store.findRun(spec.run_id))?.spec.owner_id).toBe(of.owner_id)
})

test('[TEAM11] one person makes so many teams, and so many people, memberships and invitations are taken', async () => {
  const { store } = database
  const make = (most: number) =>
    store.createTeam(
      { id: crypto.randomUUID(), name: 'T', made_by: 'chutes-many', created_at: at },
      { ...person('many'), role: 'admin' },
      most,
    )
  expect([await make(2), await make(2), await make(2)]).toEqual([true, true, false])
  const { of, team, invite } = await openTeam('full')
  const secret = await invite('viewer')
  expect(await store.acceptInvitation(secret, person('bob'), { members: 1, memberships: 50 })).toBeUndefined()
  expect(await store.acceptInvitation(secret, person('many'), { members: 100, memberships: 2 })).toBeUndefined()
  const another = { id: 'another', team_id: of.id, role: 'viewer' as const, sha256: 'another', username: null, used_at: null }
  expect(await store.createInvitation({ ...another, expires_at: later, made_by: team.made_by }, 1, at)).toBe(false)
  // An expired invitation does not count against the limit.
  expect(await store.createInvitation({ ...another, expires_at: '2026-12-01T00:00:00.000Z', made_by: team.made_by }, 1, later)).toBe(true)
})

test('[TEAM1] a session comes with the teams of its user, by name, with the role in each', async () => {
  const { store } = database
  const { of } = await openTeam('zed', { uma: 'runner' })
  const times = { created_at: at, used_at: at, expires_at: later, ended_at: null }
  const user = { owner_id: 'chutes-uma', user_id: 'u', username: 'uma', scopes: [], browser: '' }
  await store.createSession({ id: 'uma', sha256: 'uma', ...user, ...times })
  expect((await store.findSession('uma'))?.teams).toEqual([{ id: of.id, name: 'Team of zed', role: 'runner' }])
  await store.renameTeam(of.id, 'Another name')
  expect(await store.listTeams('chutes-uma')).toEqual([
    { id: of.id, name: 'Another name', role: 'runner', created_at: at, members_total: 2 },
  ])
  expect((await store.listTeams(null)).find(({ id }) => id === of.id)?.role).toBeNull()
})
