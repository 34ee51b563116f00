import { expect, test } from 'vitest'
import { mayManage } from './may-manage.ts'

test('[TEAM1] pages offer to share a run to its owner and to admins of its team', () => {
  const team = { id: 't', name: 'Team' }
  const offered = [
    { mine: true, team: null },
    { mine: true, team: { ...team, role: 'admin' as const } },
    { mine: true, team: { ...team, role: 'runner' as const } },
    { mine: false, team: { ...team, role: 'viewer' as const } },
    { mine: false, team: null },
  ]
  expect(offered.map(mayManage)).toEqual([true, true, false, false, false])
})
