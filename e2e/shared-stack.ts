import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { newDataDir, type Stack, startStack } from './stack.ts'

/** The service that several files use at the same time. Its runs and tasks are not theirs alone, and nobody stops it. */
export type SharedStack = Pick<Stack, 'url' | 'dataDir' | 'pid'>

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `offerStack` answers. */
    sharedStack: string
  }
}

/** Offers one service to all files: the first of them starts it. Resolves with the address and with what stops it. */
export async function offerStack(): Promise<{ url: string; stop(): Promise<void> }> {
  const dir = newDataDir()
  let starting: Promise<Stack> | undefined
  const server = createServer((_, response) => {
    starting ??= startStack(dir.path)
    starting.then(
      ({ url, dataDir, pid }) => response.end(JSON.stringify({ url, dataDir, pid } satisfies SharedStack)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.close()
      await starting?.then((stack) => stack.stop()).finally(dir.remove)
    },
  }
}

/** The service of `offerStack`. Throws with the output of a service that did not start. */
export async function sharedStack(): Promise<SharedStack> {
  const answer = await fetch(inject('sharedStack'))
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as SharedStack
}
