import type { Run } from '#shared/contract/api.ts'
import { mayIn } from '../team/may-in.ts'

/** Whether the visitor decides who reads the run: the owner, or an admin of the team that it belongs to. */
export const mayManage = ({ mine, team }: Pick<Run, 'mine' | 'team'>): boolean => mine && mayIn(team, 'manage')
