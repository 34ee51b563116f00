/** What we use of dockerode, which brings no types. What Docker answers is read with zod (`engine.ts`). */
declare module 'dockerode' {
  import type { Socket } from 'node:net'
  import type { Readable } from 'node:stream'

  type Given = { abortSignal?: AbortSignal }
  export type Exec = { start(options: { hijack: true; stdin: boolean }): Promise<Socket>; inspect(): Promise<unknown> }
  export type Container = {
    id: string
    attach(options: { stream: true; hijack: true; stdin: true; stdout: true; stderr: true }): Promise<Socket>
    start(): Promise<unknown>
    restart(options: { t: number }): Promise<unknown>
    pause(): Promise<unknown>
    unpause(): Promise<unknown>
    top(options: { ps_args: string }): Promise<unknown>
    logs(options: { stdout: true; stderr: true; tail: number }): Promise<Buffer>
    inspect(options?: { size: true }): Promise<unknown>
    update(options: object): Promise<unknown>
    rename(options: { name: string }): Promise<unknown>
    remove(options: { force: true; v: true }): Promise<unknown>
    exec(options: object): Promise<Exec>
    getArchive(options: { path: string } & Given): Promise<Readable>
    infoArchive(options: { path: string }): Promise<Readable & { headers: Record<string, string | undefined> }>
    putArchive(tar: Buffer | Readable, options: { path: string } & Given): Promise<unknown>
  }
  export type Image = {
    inspect(): Promise<unknown>
    remove(options?: { force?: boolean }): Promise<unknown>
    tag(options: { repo: string; tag: string }): Promise<unknown>
  }
  export type Network = { id: string; connect(options: object): Promise<unknown>; remove(): Promise<unknown> }
  export type Volume = { name: string; inspect(): Promise<unknown>; remove(): Promise<unknown> }
  export default class Docker {
    constructor(options?: object)
    createContainer(options: object): Promise<Container>
    getContainer(id: string): Container
    getImage(name: string): Image
    pull(name: string, options: { authconfig?: object } & Given): Promise<Readable>
    buildImage(tar: Buffer | Readable, options: Record<string, unknown> & Given): Promise<Readable>
    importImage(tar: Readable, options: { repo: string; tag: string } & Given): Promise<Readable>
    df(): Promise<unknown>
    pruneBuilder(options: { filters: string }): Promise<unknown>
    getEvents(options: Record<string, unknown> & Given): Promise<Readable>
    listContainers(options: { all: boolean; filters: Record<string, string[]> }): Promise<unknown>
    createNetwork(options: object): Promise<Network>
    modem: { dial(options: object, done: (error: unknown, answer: unknown) => void): void }
    getNetwork(id: string): Network
    listNetworks(options: { filters: Record<string, string[]> }): Promise<unknown>
    createVolume(options: object): Promise<unknown>
    getVolume(name: string): Volume
    listVolumes(options: { filters: Record<string, string[]> }): Promise<unknown>
    listImages(options: { filters: Record<string, string[]> }): Promise<unknown>
    version(): Promise<unknown>
    info(): Promise<unknown>
    ping(): Promise<unknown>
  }
}
