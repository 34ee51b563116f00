import type Docker from 'dockerode'
import type { Container } from 'dockerode'
import * as z from 'zod'
import { findMemoryDirectory, limitSocketMemory } from '../cgroup/socket-memory.ts'

/** Docker's engine on this machine, or where `DOCKER_HOST` says. `socketPath`: a socket of its own. */
export async function connectEngine(socketPath?: string): Promise<Docker> {
  // Loaded when it is needed: most agents have no Docker.
  const { default: Engine } = await import('dockerode')
  return socketPath === undefined ? new Engine() : new Engine({ socketPath })
}

const Refusal = z.object({ statusCode: z.int().optional(), json: z.object({ message: z.string() }).optional() })

/** What the engine refused, as HTTP's status and its own words; `status` is null where it did not answer at all. */
export function refusalIn(error: unknown): { status: number | null; words: string } {
  const parsed = Refusal.safeParse(error)
  const plain = error instanceof Error ? error.message : String(error)
  return { status: parsed.data?.statusCode ?? null, words: (parsed.data?.json?.message ?? plain).slice(0, 500) }
}

const Version = z.object({ Version: z.string(), KernelVersion: z.string().optional() })
const Info = z.object({
  DefaultRuntime: z.string().default('runc'),
  Runtimes: z.record(z.string(), z.unknown()).default({}),
  RuncCommit: z.object({ ID: z.string() }).optional(),
  DockerRootDir: z.string().optional(),
  KernelVersion: z.string().optional(),
})
const Components = z.object({ Components: z.array(z.object({ Name: z.string(), Version: z.string() })).default([]) })

/** Versions of what keeps a container's programs in. `runtime`: the one that was asked for, null for the engine's default. */
export type EngineFacts = { kernel: string; docker: string; runtime: string; root: string | null }

/** What engine this is. Throws where it does not answer, or has no such runtime. */
export async function readFacts(docker: Docker, runtime: string | null): Promise<EngineFacts> {
  const answer = await docker.version()
  const version = Version.parse(answer)
  const info = Info.parse(await docker.info())
  const name = runtime ?? info.DefaultRuntime
  if (!Object.hasOwn(info.Runtimes, name))
    throw new Error(`Docker has no runtime ${name}: install it and name it in /etc/docker/daemon.json`)
  const known = Components.parse(answer).Components.find((one) => one.Name === name)
  return {
    kernel: info.KernelVersion ?? version.KernelVersion ?? 'unknown',
    docker: version.Version,
    runtime: known ? `${name} ${known.Version}` : name,
    root: info.DockerRootDir ?? null,
  }
}

const Running = z.object({ State: z.object({ Pid: z.int() }), HostConfig: z.object({ Memory: z.int() }) })

/** What keeps connections within a container's memory: its own limit, one beside it that is looked at, or nothing. */
export type SocketLimit = { held: 'with memory' | 'nowhere' } | { held: 'beside memory'; isOver(): Promise<boolean> }

/**
 * Limits what sockets of a running container hold where its memory does not: with control groups of version 1, and only where this process may write
 * to the container's.
 */
export async function limitSockets(container: Pick<Container, 'id' | 'inspect'>): Promise<SocketLimit> {
  if ((await findMemoryDirectory('self')) === null) return { held: 'with memory' }
  const { State, HostConfig } = Running.parse(await container.inspect())
  const directory = await findMemoryDirectory(State.Pid)
  // Of an engine on another machine the number is somebody else's here.
  const isOver = directory?.includes(container.id) ? await limitSocketMemory(directory, HostConfig.Memory) : null
  return isOver ? { held: 'beside memory', isOver } : { held: 'nowhere' }
}

const ImageConfig = z.object({ Config: z.object({ Volumes: z.record(z.string(), z.unknown()).nullish() }).nullish() })

/** The places that an image wants kept on the machine's disk, which nothing would limit; null where there is no such image. */
export async function findVolumes(docker: Docker, image: string): Promise<readonly string[] | null> {
  try {
    return Object.keys(ImageConfig.parse(await docker.getImage(image).inspect()).Config?.Volumes ?? {})
  } catch (error) {
    if (refusalIn(error).status === 404) return null
    throw error
  }
}
