import { setTimeout as wait } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { Container } from 'dockerode'
import { refusalIn } from '../../docker/engine.ts'
import { waitForEnd } from '../../docker/wait-for-end.ts'
import { mostProcesses } from './container-settings.ts'
import { type Ender, type Keeper, startEnder, talkToKeeper } from './keeper.ts'
import { leftBehind } from './left-behind.ts'
import { limitSockets, type SocketLimit } from './socket-limit.ts'

/** The first process of a command that is over; `spared`: it is about to end. `atOnce`: everything goes before anything is looked at. */
export type LastRoot = { pid: number; spared: boolean; atOnce: boolean }

/** A container that runs and waits for commands. */
export type Prepared = {
  container: Container
  keeper: Keeper
  sockets: SocketLimit
  /**
   * Ends what the command with this first process left. `destroyed`: it would not end, so that the whole container did; `lost`: the container
   * had ended before.
   */
  endProcesses(root: LastRoot, others: () => boolean): Promise<'ended' | 'destroyed' | 'lost'>
  /** Gives it another name, by which an operator finds whose it is. Throws where Docker does not. */
  rename(name: string): Promise<void>
  /** Removes it with all that runs in it. Throws where Docker does not. */
  remove(): Promise<void>
}

/** How long it is tried to end what a command left, in milliseconds, before the container is ended. */
const patience_ms = 10_000
/** Room for Docker's own processes where a sandbox has taken every number it may. */
const spareProcesses = 64

/** Makes and starts a container of this name. Throws with what Docker said; nothing is left then. */
export async function prepare(docker: Docker, settings: object, name: string): Promise<Prepared> {
  const container = await docker.createContainer({ ...settings, name })
  try {
    const keeper = talkToKeeper(await container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true }))
    await container.start()
    if ((await keeper.look('kills')) === null) throw new Error('its first program ended: the image needs /bin/sh')
    const sockets = await limitSockets(container)
    // Not waited for: the first command need not come after it.
    let starting = startEnder(container).catch(() => null)
    let ender: Ender | null = null
    const endSome = async (pids: readonly number[], others: boolean): Promise<void> => {
      ender = await starting
      if (!ender || ender.isGone()) {
        starting = startAnother(container)
        ender = await starting
      }
      await ender?.end(others ? pids : null)
    }
    return {
      container,
      keeper,
      sockets,
      rename: async (name) => void (await container.rename({ name })),
      remove: () => removeContainer(docker, container, keeper),
      endProcesses: async (root, others) => {
        let removal: Promise<void> | null = null
        const last = setTimeout(() => {
          removal = removeContainer(docker, container, keeper).catch(() => undefined)
        }, patience_ms)
        try {
          // A command that was cut short may be taking every number and all the time there is: no list is waited for.
          if (root.atOnce && !others()) await endSome([], false)
          for (; ; await wait(2)) {
            const seen = await keeper.look('all')
            if (!seen) break
            const left = leftBehind(seen.processes, { root, ender: ender && !ender.isGone() ? ender.pid : null, others: others() })
            if (left.length === 0) return 'ended'
            await endSome(left, others())
          }
        } finally {
          clearTimeout(last)
        }
        await removal
        return removal === null ? 'lost' : 'destroyed'
      },
    }
  } catch (error) {
    await container.remove({ force: true, v: true }).catch(() => undefined)
    throw error
  }
}

/** Starts another ender where a program ended the one before, with room made for it; null where there is none all the same. */
async function startAnother(container: Container): Promise<Ender | null> {
  try {
    await container.update({ PidsLimit: mostProcesses + spareProcesses })
    return await startEnder(container)
  } catch {
    return null // the container may have ended: the next look tells
  } finally {
    await container.update({ PidsLimit: mostProcesses }).catch(() => undefined)
  }
}

async function removeContainer(docker: Docker, container: Container, keeper: Keeper): Promise<void> {
  try {
    await container.remove({ force: true, v: true })
  } catch (error) {
    const { status } = refusalIn(error)
    // 409: it ended by itself and is being removed.
    if (status === 409) await waitForEnd(docker, container.id, 'removed').catch(() => undefined)
    else if (status !== 404) throw error
  } finally {
    keeper.leave()
  }
}
