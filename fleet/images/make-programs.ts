import { makeDebianImage, missingForImages, works } from './debian-image.ts'
import { programsImage, readProgramsImage } from './programs-image.ts'

/** `npm run sandbox-image`: makes the image of sandboxes from Debian's packages, anew each time. */
const missing = (await works('docker', 'version')) ? await missingForImages() : 'a Docker that answers'
if (missing !== null) {
  console.error(
    `${programsImage} cannot be made here: it takes ${missing}. With a registry: docker build -t ${programsImage} fleet/images/programs`,
  )
  process.exitCode = 3
} else {
  const began = performance.now()
  await makeDebianImage(readProgramsImage(), (line) => console.log(line))
  console.log(`made in ${Math.round((performance.now() - began) / 1000)} s. Name it to an agent: BENCH_SANDBOX_IMAGE=${programsImage}`)
}
