import { DurableObject } from 'cloudflare:workers'
import type { MatchRun } from '#shared/run/match/fleet.ts'
import { FleetObject } from '../fleet-object.ts'

export { FleetObject }

/** Runs are played by `npm run bench -- match`: nothing of them is to cost anything here. */
export class RunObject extends DurableObject {
  async create(): Promise<void> {}
  async announce(): Promise<void> {}
}

type Bindings = { FLEET: DurableObjectNamespace<FleetObject> }

/** A Worker with nothing but the fleet's object: agents dial it, and runs say where they stand by POST. */
export default {
  async fetch(request: Request, env: Bindings): Promise<Response> {
    const fleet = env.FLEET.getByName('default')
    if (request.headers.get('upgrade') === 'websocket') return fleet.fetch(request)
    for (const { run, ended } of (await request.json()) as { run: MatchRun; ended: boolean }[]) await fleet.update(run, ended)
    return new Response(null, { status: 204 })
  },
}
