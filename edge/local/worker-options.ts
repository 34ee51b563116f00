import { readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import type { V4MiniflareOptions } from 'miniflare'
import * as z from 'zod'

type Worker = Extract<V4MiniflareOptions, { workers: unknown }>['workers'][number]
type Module = { type: 'ESModule' | 'CompiledWasm' | 'Text' | 'Data'; path: string; contents?: string }

/** What we read of the `wrangler.json` that `vite build` writes beside the Worker; unknown keys are left to Cloudflare. */
const BuiltConfig = z.object({
  name: z.string().min(1).default('bench'),
  main: z.string(),
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()).default([]),
  vars: z.record(z.string(), z.json()).default({}),
  durable_objects: z.object({ bindings: z.array(z.object({ name: z.string(), class_name: z.string() })).default([]) }).optional(),
  migrations: z.array(z.object({ new_sqlite_classes: z.array(z.string()).default([]) })).default([]),
  r2_buckets: z.array(z.object({ binding: z.string(), bucket_name: z.string().optional() })).default([]),
  assets: z
    .object({
      directory: z.string(),
      binding: z.string().optional(),
      run_worker_first: z.union([z.boolean(), z.array(z.string())]).optional(),
      html_handling: z.enum(['auto-trailing-slash', 'force-trailing-slash', 'drop-trailing-slash', 'none']).optional(),
      not_found_handling: z.enum(['none', 'single-page-application', '404-page']).optional(),
    })
    .optional(),
})
type BuiltConfig = z.infer<typeof BuiltConfig>

const moduleTypes: Record<string, Module['type']> = {
  '.js': 'ESModule',
  '.mjs': 'ESModule',
  '.wasm': 'CompiledWasm',
  '.txt': 'Text',
  '.html': 'Text',
  '.sql': 'Text',
  '.bin': 'Data',
}

/**
 * Reads a built Worker (`dist/server`) as one Miniflare worker: modules, objects with SQLite, buckets, assets, and `bindings` over its `vars`.
 * Throws when the build is missing or is not one of ours.
 */
export function workerOptions(serverDir: string, bindings: Record<string, string>): Worker {
  const root = resolve(serverDir)
  const config = BuiltConfig.parse(JSON.parse(readFileSync(join(root, 'wrangler.json'), 'utf8')))
  const sqlite = new Set(config.migrations.flatMap((migration) => migration.new_sqlite_classes))
  return {
    name: config.name,
    rootPath: root,
    modulesRoot: root,
    modules: modulesOf(root, config.main),
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    bindings: { ...config.vars, ...bindings },
    durableObjects: Object.fromEntries(
      (config.durable_objects?.bindings ?? []).map(({ name, class_name }) => [
        name,
        { className: class_name, useSQLite: sqlite.has(class_name) },
      ]),
    ),
    r2Buckets: Object.fromEntries(config.r2_buckets.map(({ binding, bucket_name }) => [binding, bucket_name ?? binding])),
    ...(config.assets ? { assets: assetOptions(root, config.assets) } : {}),
  }
}

function modulesOf(root: string, main: string): Module[] {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).map((file) => file.replaceAll('\\', '/'))
  const modules = files
    .filter((file) => !file.startsWith('.'))
    .flatMap((file): Module[] => {
      const type = moduleTypes[extname(file)]
      return type ? [{ type, path: join(root, file) }] : []
    })
  // Miniflare copies all that it has written before each further module, and takes the first for the
  // Worker: a small module that stands for it comes first, the largest last.
  const name = JSON.stringify(`./${main}`)
  const entry: Module = {
    type: 'ESModule',
    path: join(root, 'entry.mjs'),
    contents: `export * from ${name}; export { default } from ${name}`,
  }
  const sizes = new Map(modules.map(({ path }) => [path, statSync(path).size]))
  return [entry, ...modules.sort((a, b) => sizes.get(a.path)! - sizes.get(b.path)! || a.path.localeCompare(b.path))]
}

function assetOptions(root: string, assets: NonNullable<BuiltConfig['assets']>): Worker['assets'] {
  const first = assets.run_worker_first
  return {
    directory: resolve(root, assets.directory),
    binding: assets.binding,
    run_worker_first: first,
    routerConfig: {
      has_user_worker: true,
      ...(typeof first === 'boolean' ? { invoke_user_worker_ahead_of_assets: first } : {}),
      ...(Array.isArray(first) ? { static_routing: { user_worker: first } } : {}),
    },
    assetConfig: { html_handling: assets.html_handling, not_found_handling: assets.not_found_handling },
  }
}
