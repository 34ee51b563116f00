import type { RunHead, RunSpec } from '#shared/contract/run.ts'
import type { RunCommand } from '#shared/run/command.ts'
import type { FleetPort, RunsPort } from '../deps.ts'
import type { Env } from '../objects/env.ts'
import type { ImportedBatch } from '../run/import-results.ts'

/** Runs as their Durable Objects keep them. The original request goes along, so that a viewer who leaves is noticed. */
export function createRunsPort(env: Env): RunsPort {
  const object = (run_id: string) => env.RUN.get(env.RUN.idFromName(run_id))
  return {
    create: async (spec: RunSpec, sealed): Promise<RunHead> => object(spec.run_id).create(spec, sealed),
    takeIn: async (spec: RunSpec, batch: ImportedBatch): Promise<RunHead> => object(spec.run_id).takeIn(spec, batch),
    changeReaders: async (run_id, change) => object(run_id).changeReaders(change),
    head: async (run_id) => (await object(run_id).head()) ?? undefined,
    spec: async (run_id) => (await object(run_id).spec()) ?? undefined,
    command: async (run_id, command: RunCommand, sealed) => (await object(run_id).command(command, sealed)) ?? undefined,
    pulse: async (run_id) => object(run_id).pulse(),
    stream: async (run_id, cursor, audience, request, pulses) => {
      const url = new URL(request.url)
      const asked = { audience, ...(cursor !== null && { cursor: String(cursor) }), ...(pulses && { pulse: '1' }) }
      url.search = new URLSearchParams(asked).toString()
      return object(run_id).fetch(new Request(url, request))
    },
    watch: async (run_id, { benchmark, item_id, epoch }, request) => {
      const url = new URL(request.url)
      url.pathname = `/api/runs/${run_id}/live`
      url.search = new URLSearchParams({ benchmark, item_id, epoch: String(epoch) }).toString()
      return object(run_id).fetch(new Request(url, request))
    },
    underWay: async (run_id) => object(run_id).underWay(),
    connect: async (run_id, request) => object(run_id).fetch(request),
    wasSent: async (run_id, claim) => (await object(run_id).wasSent(claim)) ?? undefined,
    holdsLease: async (run_id, claim) => (await object(run_id).holdsLease(claim)) ?? undefined,
  }
}

/** The fleet's one pool. */
export function createFleetPort(env: Env): FleetPort {
  // A stub belongs to the request that made it, so each call makes its own.
  const pool = () => env.FLEET.get(env.FLEET.idFromName('default'))
  return {
    overview: async () => pool().overview(),
    demand: async () => pool().demand(),
    forecast: async (run_ids) => pool().forecast(run_ids),
    load: async (minutes) => pool().load(minutes),
    askSandy: async (question) => pool().askSandy(question),
    drain: async (agent_id, on) => pool().drain(agent_id, on),
    pending: async (run_id) => pool().pending(run_id),
    connect: async (request) => pool().fetch(request),
    listItems: async (of) => pool().listItems(of),
    forget: async (agent_id) => pool().forget(agent_id),
    measures: async () => pool().measures(),
    count: async (sums) => pool().count(sums),
  }
}
