import { statfs } from 'node:fs/promises'
import type Docker from 'dockerode'
import * as z from 'zod'
import { imageLabel } from './container-settings.ts'
import { refusalIn } from './engine.ts'
import { type Holder, isAlive, isOrphan, ownerLabel } from './owner.ts'

const Listed = z.array(
  z.object({ Id: z.string(), State: z.string(), Created: z.number(), Labels: z.record(z.string(), z.string()).nullish() }),
)

/** Removes the containers that agents which are no more left behind; gives how many. `now_s`: seconds since 1970. */
export async function reapOrphans(docker: Docker, owner: string, holder: Holder, now_s: number): Promise<number> {
  const listed = Listed.parse(await docker.listContainers({ all: true, filters: { label: [ownerLabel] } }))
  const orphans = listed.filter(({ Labels, State, Created }) =>
    isOrphan({ labels: Labels ?? {}, state: State, age_s: now_s - Created }, { owner, holder, isAlive }),
  )
  const removed = await Promise.all(
    orphans.map(({ Id }) =>
      docker
        .getContainer(Id)
        .remove({ force: true, v: true })
        .then(
          () => 1,
          (error: unknown) => {
            const { status } = refusalIn(error)
            if (status === 404 || status === 409) return 0 // somebody else removes it
            throw error
          },
        ),
    ),
  )
  return removed.reduce<number>((sum, one) => sum + one, 0)
}

const Images = z.array(z.object({ Id: z.string(), Created: z.number() }))

/**
 * Removes images that carry our label, the oldest first, until the disk at `root` has so many MB free; those in use stay. Gives how many went.
 * `freeMb` looks at the disk; a root that cannot be seen from here, as of an engine elsewhere, is left alone.
 */
export async function evictImages(docker: Docker, root: string, least_mb: number, freeMb = freeMbAt): Promise<number> {
  let evicted = 0
  if (((await freeMb(root)) ?? least_mb) >= least_mb) return evicted
  const images = Images.parse(await docker.listImages({ filters: { label: [imageLabel] } })).sort((a, b) => a.Created - b.Created)
  for (const { Id } of images) {
    if (((await freeMb(root)) ?? least_mb) >= least_mb) break
    evicted += await docker
      .getImage(Id)
      .remove()
      .then(
        () => 1,
        () => 0, // in use, or gone
      )
  }
  return evicted
}

const freeMbAt = (root: string): Promise<number | null> =>
  statfs(root).then(
    ({ bavail, bsize }) => (bavail * bsize) / 1024 ** 2,
    () => null,
  )
