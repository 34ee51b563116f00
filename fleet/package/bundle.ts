import { readdirSync, readFileSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type BuildOptions, build, type Plugin } from 'esbuild'

/** The oldest Node that runs the bundle: it reads `.env` files by itself from there on. */
export const oldestNode = '20.12.0'

export type Bundle = {
  /** The program as one text. */
  code: string
  /** Names of the packages inside with their licences. */
  licences: string
}

// Its errors and timers need `require`.
const requires = `import { createRequire as bundledCreateRequire } from 'node:module';
const require = bundledCreateRequire(import.meta.url);`
// It runs before the first statement of the bundle, so that an old Node gets a sentence.
const tooOld = `{ const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 12)) { console.error('Node ' + process.versions.node + ' is too old; bench needs ${oldestNode} or later.'); process.exit(1); } }`

/**
 * Bundles the command line with the agent and everything it imports, lazily loaded parts too, into one file for any Node from `oldestNode` on.
 * Throws esbuild's error for what cannot be resolved.
 */
export async function bundleBench(root: string, version: string): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    ...common(root),
    entryPoints: [join(root, 'fleet', 'package', 'bundled-bench.ts')],
    write: false,
    outfile: 'bench.mjs',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    banner: { js: `#!/usr/bin/env node\n${requires}\n${tooOld}` },
    define: { 'globalThis.benchVersion': JSON.stringify(version) },
  })
  return { code: outputFiles![0]!.text, licences: licencesOf(root, Object.keys(metafile!.inputs)) }
}

/** What `npm start` runs of the fleet, by the name of its file in the bundle. */
const servicePrograms = {
  agent: 'main.ts',
  'heavy-thread': 'threads/heavy-thread.ts',
  'demo-model': 'cli/demo-model.ts',
  'describe-machine': 'cli/describe-machine.ts',
}

/**
 * Bundles the agent of `npm start`, the demo model and the description of the machine from the checkout `root` into the
 * folder `outdir`, which it empties first. They share most of their code. A bundle takes less time and memory than a
 * module for each file, whose types Node would strip at every start. What few runs need (HDF5 alone is six megabytes)
 * stays in files of its own. Throws esbuild's error for an import that cannot be resolved.
 */
export async function bundleFleet(root: string, outdir: string): Promise<void> {
  await rm(outdir, { recursive: true, force: true })
  await build({
    ...common(root),
    entryPoints: Object.fromEntries(Object.entries(servicePrograms).map(([name, file]) => [name, join(root, 'fleet', file)])),
    outdir,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    target: 'node24',
    banner: { js: requires },
    define: { 'globalThis.benchCheckout': JSON.stringify(root) },
  })
}

const common = (root: string): BuildOptions => ({
  absWorkingDir: root,
  bundle: true,
  metafile: true,
  platform: 'node',
  format: 'esm',
  legalComments: 'none', // the licences stand beside it, whole
  plugins: [poolOnly, localDocker],
  logLevel: 'error',
})

/**
 * Of undici only pools and plain requests are used; what it has besides (fetch, decompression) wants a Node newer than 20 as soon as it is loaded.
 * `request` is its own, without the way through the global agent.
 */
const undiciParts = `export { default as Pool } from 'undici/lib/dispatcher/pool.js'
export { default as Agent } from 'undici/lib/dispatcher/agent.js'
export { default as buildConnector } from 'undici/lib/core/connect.js'
export { default as errors } from 'undici/lib/core/errors.js'
import requestBy from 'undici/lib/api/api-request.js'
export const request = ({ origin, pathname, search }, { dispatcher, ...options }) =>
  requestBy.call(dispatcher, { ...options, origin, path: pathname + search })`

const poolOnly: Plugin = {
  name: 'undici-pool',
  setup(plugin) {
    plugin.onResolve({ filter: /^undici$/ }, ({ resolveDir }) => ({ path: resolveDir, namespace: 'undici-pool' }))
    plugin.onLoad({ filter: /.*/, namespace: 'undici-pool' }, ({ path }) => ({ contents: undiciParts, resolveDir: path }))
  },
}

/**
 * Of dockerode only an engine of this machine or of an address is used; what it has besides (engines over SSH, sessions of BuildKit) brings parts that
 * are compiled for one machine.
 */
const localDocker: Plugin = {
  name: 'local-docker',
  setup(plugin) {
    plugin.onResolve({ filter: /^(ssh2|protobufjs.*|@grpc\/.*)$/ }, ({ path }) => ({ path, namespace: 'left-out' }))
    plugin.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {}' }))
  },
}

/** The licence texts of all packages that the bundled files come from. */
function licencesOf(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => path.match(/^.*node_modules\/(?:@[^/]+\/)?[^/]+/)?.[0] ?? []))
  const texts = [...folders].sort().map((folder) => {
    const dir = join(root, folder)
    const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) as Record<string, unknown>
    const file = readdirSync(dir).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry) && statSync(join(dir, entry)).isFile())
    return `${name} ${version} (${license})\n\n${file ? readFileSync(join(dir, file), 'utf8').trim() : 'No licence text in the package.'}\n`
  })
  return texts.join(`\n${'-'.repeat(80)}\n\n`)
}
