import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildImage, describeImage } from './docker.ts'
import { playStop } from './play.ts'

/** Builds the agent's image, weighs it, lets it join, and stops it in the middle of a run; exit code 1 where it is too large or anything was lost. */
const { values } = parseArgs({
  options: {
    builder: { type: 'string' },
    network: { type: 'string' },
    tag: { type: 'string', default: 'bench-agent' },
    'most-mb': { type: 'string', default: '150' },
    trials: { type: 'string', default: '13440' },
    width: { type: 'string', default: '100' },
    'latency-ms': { type: 'string', default: '30' },
  },
})
const say = (line: string): void => console.log(line)
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

await buildImage({ tag: values.tag, builder: values.builder, network: values.network })
const { bytes, user, command, layers } = await describeImage(values.tag)
say(`${values.tag}: ${megabytes(bytes)}, user ${user}, ${command}`)
for (const { Size, CreatedBy } of layers) say(`  ${Size.padStart(8)}  ${CreatedBy.slice(0, 100)}`)
const breaches = bytes > Number(values['most-mb']) * 1e6 ? [`the image is larger than ${values['most-mb']} MB`] : []

const dir = mkdtempSync(join(tmpdir(), 'bench-image-'))
const trials = Number(values.trials)
const verdict = await playStop({
  dir,
  image: values.tag,
  trials,
  width: Number(values.width),
  latencyMs: Number(values['latency-ms']),
  say,
})
breaches.push(...verdict.breaches)
const tokens = ({ input_tokens, output_tokens }: { input_tokens: number; output_tokens: number }) => `${input_tokens}+${output_tokens}`
say(
  `${verdict.trials} of ${trials} trials, ${verdict.extra} requests beyond one a trial; tokens billed ${tokens(verdict.billed)}, counted ${tokens(verdict.counted)}`,
)
for (const breach of breaches.slice(0, 20)) say(`  ${breach}`)
if (breaches.length === 0) rmSync(dir, { recursive: true, force: true })
process.exit(breaches.length === 0 ? 0 : 1)
