import { spawnSync } from 'node:child_process'
import { copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { findControlGroups } from '../cgroup/control-groups.ts'
import { type SecretPlace, secretPlaces } from '../secret-places.ts'
import { findCopies, topmost } from './find-copies.ts'
import { pathsOf, readMounts } from './mount-table.ts'
import { systemMounts } from './system-mounts.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-copies-'))
afterAll(() => rmSync(folder, { recursive: true }))
const put = (path: string, text: string): string => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return join(folder, path)
}
const answers = `{"id":"a","expected":{},"reference":{}}\n`.repeat(200)

test('[SBX370] every copy of the program, store of packages and bundle is found, whatever its name is, and nothing else', async () => {
  const data = dirname(dirname(put('data/code_tasks/catalogue.jsonl', answers)))
  put('usr/lib/node_modules_22/other/index.js', '')
  put('usr/share/nodejs/acorn/node_modules/a/index.js', '') // the distribution's own
  put('usr/share/perl/5.36/strict.pm', '')
  put('usr/share/checkout/package.json', '{ "name": "chutes-bench-runner" }')
  put('usr/share/checkout/shared/benchmarks/code_tasks/catalogue.jsonl', 'another version')
  put('usr/share/plain/benchmarks/code_tasks/catalogue.jsonl', 'without a package')
  put('usr/local/share/chutes-bench-runner-0.1.0.tgz', '')
  put('usr/local/share/x/benchmark_results_1_2.zip', '')
  put('usr/local/share/home/_cacache/index-v5/00/aa', '')
  put('usr/local/share/same size', 'x'.repeat(answers.length))
  mkdirSync(join(folder, 'usr/local/share/store/ab'), { recursive: true })
  copyFileSync(join(data, 'code_tasks/catalogue.jsonl'), join(folder, 'usr/local/share/store/ab/copy'))
  linkSync(join(data, 'code_tasks/catalogue.jsonl'), join(folder, 'usr/local/share/store/ab/hard link'))
  const found = await findCopies([join(folder, 'usr')], data)
  expect(found.map((path) => path.slice(folder.length))).toEqual(
    [
      '/usr/lib/node_modules_22',
      '/usr/local/share/chutes-bench-runner-0.1.0.tgz',
      '/usr/local/share/home/_cacache',
      '/usr/local/share/store/ab/copy',
      '/usr/local/share/store/ab/hard link',
      '/usr/local/share/x/benchmark_results_1_2.zip',
      '/usr/share/checkout',
      '/usr/share/plain/benchmarks/code_tasks',
    ].sort(),
  )
  await expect(findCopies(['/no/such/place'], data)).resolves.toEqual([])
})

test('[SBX370] of places within each other the topmost is hidden', () => {
  expect(topmost(['/a/b', '/a', '/a/b/c', '/ab', '/a-b', '/ab'])).toEqual(['/a', '/a-b', '/ab'])
})

test('[SBX370] a bind mount of a secret folder, of a part of it or of a folder above it is another path of it', () => {
  const mounts = readMounts(
    [
      '22 1 254:0 / / rw - ext4 /dev/vda rw',
      '23 22 254:1 / /data rw - ext4 /dev/vdb rw',
      '24 22 254:1 /bench/cache /usr/share/a\\040cache rw - ext4 /dev/vdb rw',
      '25 22 254:1 / /usr/share/disk rw - ext4 /dev/vdb rw',
      '26 22 254:1 /other /usr/share/other rw - ext4 /dev/vdb rw',
      '27 22 254:0 /usr/lib /opt/lib rw - ext4 /dev/vda rw',
      'no mount',
    ].join('\n'),
  )
  expect(pathsOf('/data/bench', mounts)).toEqual(['/data/bench', '/usr/share/a cache', '/usr/share/disk/bench'])
  expect(pathsOf('/usr/lib/x', mounts)).toEqual(['/usr/lib/x', '/opt/lib/x'])
  expect(pathsOf('/etc', [])).toEqual(['/etc'])
})

test('[SBX370] program, data, caches, keys, home and working folder are secret, by their real paths', () => {
  const overrides = put('own/overrides.json', `{"mmlu_pro":{"files":[{"path":"${folder}/own/rows.jsonl"}]}}`)
  const env = {
    BENCH_DATA: 'state',
    BENCH_DATA_DIR: '/usr/share/mirror',
    BENCH_DATA_OVERRIDES: overrides,
    BENCH_URL: 'http://127.0.0.1/a',
    HOME: '/usr/home/me',
  }
  const places = secretPlaces({ ...env, npm_config_cache: '/usr/cache' }, '/usr/share/work')
  const paths = places.map(({ path }) => path)
  for (const path of [
    '/usr/share/work/state',
    '/usr/share/mirror',
    overrides,
    `${folder}/own/rows.jsonl`,
    '/usr/home/me',
    '/usr/cache',
    '/usr/share/work',
  ])
    expect(paths).toContain(path)
  expect(paths.some((path) => path.includes('127.0.0.1'))).toBe(false)
  expect(places.filter(({ what }) => what === 'the program').length).toBeGreaterThan(0)
})

test('[SBX371] only programs, libraries and their data of the system are shown; what cannot be hidden is refused with its path', async () => {
  const none = put('empty/none.txt', '')
  const mounts = (secrets: readonly SecretPlace[]) => systemMounts(secrets, dirname(none))
  const shown = (await mounts([]))().join(' ')
  for (const path of ['/usr', '/usr/local', '/usr/src', '/usr/games', '/usr/local/src', '/usr/local/etc', '/opt', '/etc'])
    expect(` ${shown} `).not.toContain(` --ro-bind ${path} ${path} `)
  expect(shown).toContain('--ro-bind /usr/lib /usr/lib')
  const hidden = (await mounts([{ path: '/usr/share/perl', what: 'x', whole: true }]))().join(' ')
  expect(hidden).toContain('--tmpfs /usr/share/perl --remount-ro /usr/share/perl')
  await expect(mounts([{ path: '/usr', what: 'the data directory', whole: true }])).rejects.toThrow(
    'the data directory is /usr, which programs in a sandbox need: it cannot be hidden from them.',
  )
  await expect(mounts([{ path: '/usr/bin', what: 'the program', whole: false }])).rejects.toThrow('the program is /usr/bin')
  await expect(mounts([{ path: '/', what: 'the working directory', whole: false }])).resolves.toBeDefined()
})

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 || 'missing' in groups || process.getuid!() !== 0
    ? 'bwrap, control groups or root are missing'
    : null

test('[SBX371] a program installed for all users, with data below /usr, is hidden from every command, also when it is installed later', {
  timeout: 60_000,
}, (context) => {
  context.skip(absent !== null, String(absent))
  const installed = put('installed/chutes-bench-runner/benchmarks/code_tasks/catalogue.jsonl', answers)
  put('state/cache/answers.jsonl', answers)
  const program = join(folder, 'agent.mjs')
  writeFileSync(
    program,
    `import { mkdirSync, writeFileSync } from 'node:fs'
const { createBubblewrap } = await import(process.argv[2])
const secrets = [{ path: '/usr/local/share/state', what: 'the data directory', whole: true }]
const bubblewrap = await createBubblewrap('bwrap', undefined, secrets)
const opened = await bubblewrap.open({ image: null, cpus: 1, memory_mb: 96, disk_mb: 16, network: false }, new AbortController().signal)
if (!opened.ok) throw new Error(opened.failure.detail)
const look = async () => {
  const script = 'grep -rl "\\"expected\\"" /usr/lib/node_modules /usr/local/lib /usr/local/share 2>/dev/null; ls -A /usr/lib/node_modules /usr/local/share/state | grep -v :; echo looked'
  const { stdout } = await opened.value.exec({ argv: ['sh', '-c', script], timeout_ms: 30000, output_bytes: 9999 })
  return new TextDecoder().decode(stdout).trim()
}
console.log(JSON.stringify([await look(), (mkdirSync('/usr/local/lib/node_modules/late', { recursive: true }), writeFileSync('/usr/local/lib/node_modules/late/a', '"expected"')), await look()]))
await opened.value[Symbol.asyncDispose]()
bubblewrap.close()`,
  )
  const mounts = `mount -t tmpfs none /usr/local/share && mkdir -p /usr/local/share/state /usr/local/share/alias && mount --bind ${folder}/state /usr/local/share/state && mount --bind ${folder}/state/cache /usr/local/share/alias
mount -t tmpfs none /usr/local/lib && mkdir -p /usr/lib/node_modules && mount --bind ${dirname(dirname(dirname(dirname(installed))))} /usr/lib/node_modules && exec "$@"`
  const home = new URL('./open-bubblewrap.ts', import.meta.url).pathname
  const { stdout, stderr } = spawnSync('unshare', ['-m', 'sh', '-c', mounts, 'sh', process.execPath, program, home], { encoding: 'utf8' })
  expect([stdout.trim(), stderr]).toEqual([JSON.stringify(['looked', null, 'looked']), ''])
})
