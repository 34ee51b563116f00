import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as z from 'zod'
import { Blocks } from '#shared/contract/blocks.ts'
import { blocksText } from '#shared/run/blocks-text.ts'
import type { AgentHealth } from './agent.ts'

/** An agent tells how it is at every heartbeat; one that has not for so long hangs or is gone. */
const staleMs = 45_000

const Health = z.object({
  at: z.iso.datetime(),
  pid: z.int(),
  edge_url: z.string(),
  connected: z.boolean(),
  running: z.int(),
  draining: z.boolean(),
  blocks: Blocks.optional(),
})

/** Where the agent of this name, among those that share a data directory, tells how it is. */
export const healthPath = (dataDir: string, agentId: string): string => join(dataDir, 'agents', `${agentId}.json`)

/** Keeps the file current: `write` at every change, `remove` at the end. A disk that takes no more is no reason to stop working. */
export function openHealthFile(path: string, edge_url: string, now: () => Date) {
  const quietly = (act: () => void): void => {
    try {
      act()
    } catch {
      // The check then finds an old file or none, and says so.
    }
  }
  return {
    write: (health: AgentHealth): void =>
      quietly(() => {
        mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
        const part = `${path}.${process.pid}`
        writeFileSync(part, JSON.stringify({ at: now().toISOString(), pid: process.pid, edge_url, ...health }))
        renameSync(part, path)
      }),
    remove: (): void => quietly(() => rmSync(path, { force: true })),
  }
}

/** How the agent that writes this file is, in a sentence; `ok` when it is connected and lately said so. */
export function readHealth(path: string, now: Date): { ok: boolean; detail: string } {
  const found = Health.safeParse(parseFile(path))
  if (!found.success) return { ok: false, detail: 'no agent of this name runs here' }
  const { at, edge_url, connected, running, draining, blocks } = found.data
  const ageMs = now.getTime() - Date.parse(at)
  if (ageMs > staleMs) return { ok: false, detail: `it was last heard of ${Math.round(ageMs / 1000)} s ago` }
  if (!connected) return { ok: false, detail: `it cannot reach ${edge_url}` }
  const said = [`connected to ${edge_url}`, `${running} trials in work`, draining ? 'draining' : null, blocksText(blocks ?? null)]
  return { ok: true, detail: said.filter((one) => one !== null).join(', ') }
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
