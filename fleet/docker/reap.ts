import { statfs } from 'node:fs/promises'
import type Docker from 'dockerode'
import * as z from 'zod'
import { refusalIn } from './engine.ts'
import { type Holder, isAlive, isOrphan, ownerLabel } from './owner.ts'

/** What an image is known by as ours: only such are ever removed. */
export const imageLabel = 'chutes-bench.image'

const Listed = z.array(
  z.object({ Id: z.string(), State: z.string(), Created: z.number(), Labels: z.record(z.string(), z.string()).nullish() }),
)

/** Removes the containers, networks and volumes that agents which are no more left behind; gives how many containers. `now_s`: seconds since 1970. */
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
  await reapPlaces(docker, owner, holder, now_s)
  return removed.reduce<number>((sum, one) => sum + one, 0)
}

const Networks = z.array(z.object({ Id: z.string(), Created: z.string(), Labels: z.record(z.string(), z.string()).nullish() }))
const Volumes = z.object({
  Volumes: z
    .array(z.object({ Name: z.string(), CreatedAt: z.string().nullish(), Labels: z.record(z.string(), z.string()).nullish() }))
    .nullish(),
})

/** Networks and volumes of episodes; an engine removes none that a container still has. */
async function reapPlaces(docker: Docker, owner: string, holder: Holder, now_s: number): Promise<void> {
  const filters = { label: [ownerLabel] }
  const networks = Networks.parse(await docker.listNetworks({ filters })).map(({ Id, Created, Labels }) => ({
    ...{ made: Created, labels: Labels ?? {} },
    remove: () => docker.getNetwork(Id).remove(),
  }))
  const volumes = (Volumes.parse(await docker.listVolumes({ filters })).Volumes ?? []).map(({ Name, CreatedAt, Labels }) => ({
    ...{ made: CreatedAt ?? '', labels: Labels ?? {} },
    remove: () => docker.getVolume(Name).remove(),
  }))
  for (const { made, labels, remove } of [...networks, ...volumes]) {
    const age_s = now_s - (Date.parse(made) || 0) / 1000
    if (isOrphan({ labels, state: 'created', age_s }, { owner, holder, isAlive })) await remove().catch(() => undefined)
  }
}

const Images = z.array(z.object({ Id: z.string(), Created: z.number() }))
const Named = z.object({ RepoTags: z.array(z.string()).nullish(), RepoDigests: z.array(z.string()).nullish() })
type ListedImage = z.infer<typeof Images>[number]

/** Images beside the labelled ones that are ours: by the names that we gave them, and in which order they go. */
export type OwnImages = {
  /** Patterns of names, as Docker filters by them. */
  references: readonly string[]
  /** The names of an image that go with ours when it goes. */
  namesOf(image: { tags: readonly string[]; digests: readonly string[] }): readonly string[]
  /** When it was last used, in milliseconds since 1970; 0: not known. */
  lastUsed(id: string): number
}

/**
 * Removes images that carry our label or a name of ours, those not used for longest first and then the oldest, until the disk at `root` has so many MB
 * free; those in use stay. Gives how many went. `freeMb` looks at the disk; a root that cannot be seen from here, as of an engine elsewhere, is left
 * alone.
 */
export async function evictImages(docker: Docker, root: string, least_mb: number, freeMb = freeMbAt, own?: OwnImages): Promise<number> {
  let evicted = 0
  if (((await freeMb(root)) ?? least_mb) >= least_mb) return evicted
  const lastUsed = ({ Id }: ListedImage): number => own?.lastUsed(Id) ?? 0
  const images = (await listOwn(docker, own?.references ?? [])).sort((a, b) => lastUsed(a) - lastUsed(b) || a.Created - b.Created)
  const inUse = new Set(InUse.parse(await docker.listContainers({ all: true, filters: {} })).map(({ ImageID }) => ImageID))
  for (const image of images) {
    if (((await freeMb(root)) ?? least_mb) >= least_mb) break
    if (inUse.has(image.Id)) continue
    evicted += await removeImage(docker, image.Id, own)
  }
  return evicted
}

const InUse = z.array(z.object({ ImageID: z.string() }))

async function listOwn(docker: Docker, references: readonly string[]): Promise<ListedImage[]> {
  const filters: Record<string, string[]>[] = [{ label: [imageLabel] }, ...(references.length > 0 ? [{ reference: [...references] }] : [])]
  const listed = await Promise.all(filters.map(async (one) => Images.parse(await docker.listImages({ filters: one }))))
  return [...new Map(listed.flat().map((image) => [image.Id, image])).values()]
}

/** 1 where it went with its last name, 0 where it is in use or gone. */
async function removeImage(docker: Docker, id: string, own: OwnImages | undefined): Promise<number> {
  try {
    // A list by names shows no others.
    const { RepoTags, RepoDigests } = Named.parse(await docker.getImage(id).inspect())
    const names = own?.namesOf({ tags: RepoTags ?? [], digests: RepoDigests ?? [] }) ?? []
    for (const name of names.length > 0 ? names : [id]) await docker.getImage(name).remove()
    return 1
  } catch {
    return 0
  }
}

/** Free MB on the disk at a folder; null where it cannot be seen from here. */
export const freeMbAt = (root: string): Promise<number | null> =>
  statfs(root).then(
    ({ bavail, bsize }) => (bavail * bsize) / 1024 ** 2,
    () => null,
  )
