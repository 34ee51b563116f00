import { readdirSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import { docker } from '../image/docker.ts'

/** Containers of a project, and sentences about those that have the host's engine. */
export type Held = { containers: readonly string[]; foreignSockets: readonly string[] }

const Inspected = z.array(
  z.object({
    Id: z.string(),
    Name: z.string(),
    HostConfig: z.object({ Privileged: z.boolean() }),
    Mounts: z.array(z.object({ Source: z.string().optional() })),
  }),
)

const lines = (text: string): string[] => text.split('\n').filter(Boolean)
const labelled = (project: string): string[] => ['--filter', `label=com.docker.compose.project=${project}`]

/** Looks at the containers of a project while they run. */
export async function whatIsHeld(project: string): Promise<Held> {
  const ids = lines(await docker('ps', '--all', '--quiet', ...labelled(project)))
  const found = Inspected.parse(JSON.parse(await docker('inspect', ...ids)))
  return {
    containers: found.map(({ Id }) => Id),
    foreignSockets: found.flatMap(({ Name, HostConfig, Mounts }) => [
      ...(HostConfig.Privileged ? [`${Name} is privileged`] : []),
      ...(Mounts.some(({ Source }) => /^\/(var\/)?run(\/docker\.sock)?$/.test(Source ?? '')) ? [`${Name} has the host's engine`] : []),
    ]),
  }
}

/**
 * What of a project is still there: sentences about containers, networks, processes and mounts, and
 * its volumes by name.
 */
export async function findRemains(project: string, held: Held | undefined): Promise<{ running: string[]; volumes: string[] }> {
  const containers = lines(await docker('ps', '--all', '--format', '{{.Names}}', ...labelled(project)))
  const networks = lines(await docker('network', 'ls', '--format', '{{.Name}}', ...labelled(project)))
  const mounts = lines(readFileSync('/proc/self/mountinfo', 'utf8')).filter((line) => line.includes(`/${project}_`))
  return {
    running: [
      ...containers.map((name) => `the container ${name} is left`),
      ...networks.map((name) => `the network ${name} is left`),
      ...processesOf(held?.containers ?? []).map((pid) => `process ${pid} is left`),
      ...mounts.map((line) => `a mount is left: ${line}`),
    ],
    volumes: lines(await docker('volume', 'ls', '--format', '{{.Name}}', ...labelled(project))),
  }
}

/** Processes in the control groups of these containers, those of containers inside them too. */
function processesOf(containers: readonly string[]): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const groups = readFileSync(`/proc/${pid}/cgroup`, 'utf8')
        return containers.some((id) => groups.includes(id))
      } catch {
        return false // it has ended
      }
    })
}
