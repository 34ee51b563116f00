import { type DebianImage, makeDebianImage, missingForImages, works } from '../../../images/debian-image.ts'

/** The image that tests of Docker's sandboxes start from: Debian 12 with the tools that the contract's programs use, no registry needed. */
export const testImage = 'bench-sandbox-test:bookworm'
const base: DebianImage = {
  name: testImage,
  packages: ['perl', 'python3', 'procps'],
  changes: ['ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'CMD ["sh"]'],
}

/** Makes sure that `testImage` is on this machine, which takes a minute where it is not. */
export const ensureTestImage = (say: (line: string) => void = console.info): Promise<string | null> => ensureImage(base, say)

/**
 * Makes sure that an image is on this machine: kept where it is, else made of Debian's packages, which takes `debootstrap` and root. Gives null when it is
 * there, or why there is none.
 */
export async function ensureImage(image: DebianImage, say: (line: string) => void): Promise<string | null> {
  if (!(await works('docker', 'version', '--format', '{{.Server.Version}}'))) return 'Docker does not answer'
  if (await works('docker', 'image', 'inspect', image.name)) return null
  const missing = await missingForImages()
  if (missing !== null) return `Docker has no image ${image.name}: making it takes ${missing}`
  return makeDebianImage(image, say).then(
    () => null,
    (error: unknown) =>
      `Docker has no image ${image.name}, and it could not be made: ${error instanceof Error ? error.message : String(error)}`,
  )
}
