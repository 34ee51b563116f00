import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { inject } from 'vitest'
import { newDataDir, type Stack, startStack } from './stack.ts'

/**
 * A service that several test files use at the same time. It has the runs and tasks of all these
 * files, and no file stops it.
 */
export type SharedStack = Pick<Stack, 'url' | 'dataDir' | 'pid'>

declare module 'vitest' {
  interface ProvidedContext {
    /** Where `offerStack` answers. */
    sharedStack: string
  }
}

/**
 * Offers one service to all test files. The first file that asks starts it. Returns the address to
 * ask and the function that stops the service.
 */
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
