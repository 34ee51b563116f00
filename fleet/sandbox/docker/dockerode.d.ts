/** What we use of dockerode, which brings no types. What Docker answers is read with zod (`engine.ts`). */
declare module 'dockerode' {
  import type { Socket } from 'node:net'

  export type Exec = { start(options: { hijack: true; stdin: boolean }): Promise<Socket>; inspect(): Promise<unknown> }
  export type Container = {
    id: string
    attach(options: { stream: true; hijack: true; stdin: true; stdout: true; stderr: true }): Promise<Socket>
    start(): Promise<unknown>
    inspect(): Promise<unknown>
    update(options: object): Promise<unknown>
    rename(options: { name: string }): Promise<unknown>
    remove(options: { force: true; v: true }): Promise<unknown>
    wait(options: { condition: 'removed' }): Promise<unknown>
    exec(options: object): Promise<Exec>
  }
  export type Image = { inspect(): Promise<unknown>; remove(): Promise<unknown> }
  export default class Docker {
    constructor(options?: { socketPath: string })
    createContainer(options: object): Promise<Container>
    getContainer(id: string): Container
    getImage(name: string): Image
    listContainers(options: { all: boolean; filters: Record<string, string[]> }): Promise<unknown>
    listImages(options: { filters: Record<string, string[]> }): Promise<unknown>
    version(): Promise<unknown>
    info(): Promise<unknown>
  }
}
