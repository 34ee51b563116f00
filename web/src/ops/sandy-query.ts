import * as z from 'zod'
import { SandyMetric, SandyResources, SandySandbox } from '#shared/contract/ops.ts'
import { type Answer, ask } from '../api.ts'

/** The three answers about a Sandy service, each with its own problem. */
export type SandyNumbers = { resources: Answer<SandyResources>; metrics: Answer<SandyMetric[]>; sandboxes: Answer<SandySandbox[]> }

/** Asks for the numbers of the last 12 hours. */
export async function askSandy(): Promise<SandyNumbers> {
  const [resources, metrics, sandboxes] = await Promise.all([
    ask(SandyResources, '/api/ops/sandy/resources'),
    ask(z.array(SandyMetric), '/api/ops/sandy/metrics?hours=12'),
    ask(z.array(SandySandbox), '/api/ops/sandy/sandboxes'),
  ])
  return { resources, metrics, sandboxes }
}
