import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import type Docker from 'dockerode'
import * as z from 'zod'

const Ended = z.object({ StatusCode: z.int() })

/**
 * Waits until a container has ended, or has been removed, and gives its exit code. Throws if there is no such container,
 * and if the engine goes away meanwhile: dockerode's own `wait` never returns then, because the engine sends the head of
 * its answer at once and the rest at the end.
 */
export async function waitForEnd(docker: Docker, id: string, condition: 'not-running' | 'removed'): Promise<number> {
  const answer = await new Promise<Readable>((resolve, reject) => {
    const path = `/containers/${id}/wait?` // dockerode appends `options`
    const options = {
      path,
      method: 'POST',
      isStream: true,
      options: { condition },
      statusCodes: { 200: true, 404: 'no such container', 500: 'server error' },
    }
    docker.modem.dial(options, (error, stream) => (error ? reject(error) : resolve(stream as Readable)))
  })
  return Ended.parse(JSON.parse(await text(answer))).StatusCode
}
