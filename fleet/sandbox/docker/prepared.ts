import { setTimeout as wait } from 'node:timers/promises'
import type Docker from 'dockerode'
import type { Container } from 'dockerode'
import { mostProcesses, programUser } from './container-settings.ts'
import { demultiplex } from './demultiplex.ts'
import { refusalIn } from './engine.ts'
import { type Ender, type Keeper, startEnder, talkToKeeper } from './keeper.ts'
import { leftBehind } from './left-behind.ts'

/** A container that runs and waits for commands. */
export type Prepared = {
  container: Container
  keeper: Keeper
  /** Ends what the command with this first process left; says whether nothing is left. Where it cannot, it ends the whole container. */
  endProcesses(root: { pid: number; spared: boolean }, others: () => boolean): Promise<boolean>
  /** Removes it with all that runs in it. Throws where Docker does not. */
  remove(): Promise<void>
}

/** How long it is tried to end what a command left, in milliseconds, before the container is ended. */
const patience_ms = 10_000
/** Room for Docker's own processes where a sandbox has taken every number it may. */
const spareProcesses = 64

/** Makes and starts a container. Throws with what Docker said; nothing is left then. */
export async function prepare(docker: Docker, settings: object): Promise<Prepared> {
  const container = await docker.createContainer(settings)
  try {
    const keeper = talkToKeeper(await container.attach({ stream: true, hijack: true, stdin: true, stdout: true, stderr: true }))
    await container.start()
    if ((await keeper.look('kills')) === null) throw new Error('its first program ended: the image needs /bin/sh')
    let ender: Ender | null = await startEnder(container)
    const endSome = async (pids: readonly number[], others: boolean): Promise<void> => {
      if (ender?.isGone()) ender = null
      if (ender) return ender.end(others ? pids : null)
      await endFromOutside(container, others ? pids : null)
      ender = await startEnder(container).catch(() => null)
    }
    return {
      container,
      keeper,
      remove: () => removeContainer(container, keeper),
      endProcesses: async (root, others) => {
        for (const until = performance.now() + patience_ms; ; await wait(2)) {
          const seen = await keeper.look('all')
          if (!seen) return false
          const left = leftBehind(seen.processes, { root, ender: ender?.pid ?? null, others: others() })
          if (left.length === 0) return true
          if (performance.now() > until) break
          await endSome(left, others())
        }
        await removeContainer(container, keeper)
        return false
      },
    }
  } catch (error) {
    await container.remove({ force: true, v: true }).catch(() => undefined)
    throw error
  }
}

/** Where a program ended the ender: a new process does it, for which there is made room. */
async function endFromOutside(container: Container, pids: readonly number[] | null): Promise<void> {
  const script = `kill -9 ${pids === null ? '-1' : pids.join(' ')} 2>/dev/null`
  try {
    await container.update({ PidsLimit: mostProcesses + spareProcesses })
    const exec = await container.exec({ User: programUser, AttachStdout: true, Cmd: ['/bin/sh', '-c', script] })
    await demultiplex(await exec.start({ hijack: true, stdin: false }), () => undefined)
    await container.update({ PidsLimit: mostProcesses })
  } catch {
    // There was no room for it, or the container has ended: the next look tells.
  }
}

async function removeContainer(container: Container, keeper: Keeper): Promise<void> {
  try {
    await container.remove({ force: true, v: true })
  } catch (error) {
    const { status } = refusalIn(error)
    // 409: it ended by itself and is being removed.
    if (status === 409) await container.wait({ condition: 'removed' }).catch(() => undefined)
    else if (status !== 404) throw error
  } finally {
    keeper.leave()
  }
}
