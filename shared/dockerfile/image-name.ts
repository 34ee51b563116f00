/** An image's name in its parts. `tag` and `digest` (`sha256:…`): at least one of them is there. */
export type ImageName = { registry: string; path: string; tag: string | null; digest: string | null }

/** The registry of names that name none. */
export const dockerHub = 'docker.io'
/** Where the names begin that we give to images which were pulled for machines; no registry has it. */
const pulledPlace = 'chutes-bench.pulled'
/** Where the names begin of images that were built for machines. */
export const builtPlace = 'chutes-bench.built'

const path = /^[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:\.|_{1,2}|-+)[a-z0-9]+)*)*$/
const registry = /^(?:[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*|\[[0-9a-fA-F:]+\])(?::[0-9]{1,5})?$/

/**
 * Reads the name of an image as Docker does: of the hub where it names no registry, `latest` where it has neither tag nor digest. Null for what is
 * no name. Source: the grammar of github.com/distribution/reference.
 */
export function readImageName(text: string): ImageName | null {
  if (text.length > 500) return null
  const [, rest = '', digest = null] = /^([^@]*)(?:@(sha256:[0-9a-f]{64}))?$/.exec(text) ?? []
  const [, long = '', tag = null] = /^(.*?)(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?$/.exec(rest) ?? []
  const slash = long.indexOf('/')
  const first = long.slice(0, Math.max(0, slash))
  const names = slash > 0 && (/[.:]/.test(first) || first === 'localhost')
  const host = names ? (first === 'index.docker.io' ? dockerHub : first) : dockerHub
  const own = names ? long.slice(slash + 1) : long
  if (!registry.test(host) || !path.test(own)) return null
  const whole = host === dockerHub && !own.includes('/') ? `library/${own}` : own
  return { registry: host, path: whole, tag: tag ?? (digest === null ? 'latest' : null), digest }
}

/** The name under which it is pulled. `mirror`: what stands in place of the hub, `host` or `host/path`; images of other registries have none. */
export function pullName({ registry: host, path: own, tag, digest }: ImageName, mirror: string | null): string {
  const place = host === dockerHub && mirror !== null ? mirror.replace(/\/+$/, '') : host
  return `${place}/${own}${digest === null ? `:${tag}` : `@${digest}`}`
}

/** The name by which we know a pulled image as ours, in two parts as Docker takes them. */
export function pulledName({ registry: host, path: own, tag, digest }: ImageName): { repo: string; tag: string } {
  const from =
    host === dockerHub
      ? ''
      : `at.${host
          .toLowerCase()
          .replaceAll(/[^a-z0-9]+/g, '-')
          .replaceAll(/^-|-$/g, '')}/`
  return { repo: `${pulledPlace}/${from}${own}`, tag: digest === null ? tag! : digest.replace(':', '-') } // one of them is there
}

/** Names by which images are known that were pulled or built for machines, as Docker filters by them: `*` is no further than to the next `/`. */
export const ownReferences: readonly string[] = [pulledPlace, builtPlace].flatMap((place) =>
  [1, 2, 3, 4, 5, 6].map((depth) => `${place}${'/*'.repeat(depth)}`),
)

/** All names of an image that was pulled for machines, ours the last: those by which it was pulled go with it. Nothing where it has no name of ours. */
export function namesOfPulled({ tags, digests }: { tags: readonly string[]; digests: readonly string[] }): string[] {
  const own = tags.filter((tag) => tag.startsWith(`${pulledPlace}/`))
  const paths = own.map((tag) => bare(tag.slice(pulledPlace.length + 1, tag.lastIndexOf(':'))))
  const isOf = (repository: string): boolean => paths.some((one) => `/${bare(repository)}`.endsWith(`/${one}`))
  if (own.length === 0) return []
  const byTag = tags.filter((tag) => !own.includes(tag) && isOf(tag.slice(0, tag.lastIndexOf(':'))))
  const left = tags.filter((tag) => !own.includes(tag) && !byTag.includes(tag))
  // Digests go with the last tag of their repository, and must be named where there was none.
  const byDigest = digests.map((one) => one.split('@')[0]!).filter((repository) => !byTag.some((tag) => tag.startsWith(`${repository}:`)))
  const alone = digests.filter((one) => byDigest.includes(one.split('@')[0]!) && !one.startsWith(pulledPlace) && isOf(one.split('@')[0]!))
  return left.length > 0 ? own : [...byTag, ...alone, ...own]
}

/** A repository without its registry and without what the hub puts before names of one word. */
const bare = (repository: string): string => repository.replace(/^(?:[^/]*[.:][^/]*|localhost)\//, '').replace(/^library\//, '')
