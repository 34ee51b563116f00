import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tree } from '../testing/task-files.ts'
import { fillIn, splitWords } from './fill-in.ts'
import { type Compose, type ComposeGiven, readCompose } from './read-compose.ts'

const given: ComposeGiven = {
  context: tree({ Dockerfile: 'FROM a', 'web/Dockerfile': 'FROM b', 'web/app.py': 'x', 'conf/nginx.conf': 'c' }),
  env: { WORD: 'told' },
  ...{ image: null, cpus: 1, memory_mb: 512, build_timeout_ms: 1000, pull_timeout_ms: 2000 },
}
function compose(text: string, changes: Partial<ComposeGiven> = {}): Compose {
  const read = readCompose(text, { ...given, ...changes })
  if (!read.ok) throw new Error(JSON.stringify(read.refused))
  return read.compose
}
function refused(text: string): string[] {
  const read = readCompose(text, given)
  return read.ok ? [] : read.refused.map(({ key }) => key)
}

test('[HARB40] a compose file is read as one machine, main, and the services beside it in the order in which they begin', () => {
  const { main, services } = compose(`
x-both: &both { restart: on-failure:3 }
services:
  web:
    <<: *both
    build: { context: ./web }
    image: web-of-task
    command: python3 -m http.server "80 80"
    environment: [WORD, "GIVEN=\${WORD}-\${OTHER:-else}", "COST=$$1"]
    depends_on: { db: { condition: service_healthy } }
    volumes: ["data:/data:ro", "./conf/nginx.conf:/etc/nginx.conf:ro", /own]
    networks: { back: { aliases: [site] } }
    mem_limit: 1.5g
  worker: { image: web-of-task, entrypoint: [], profiles: [] }
  db:
    image: postgres:16
    container_name: the-db
    environment: { A: 1, B: true, EMPTY: }
    healthcheck: { test: pg_isready, interval: 1m30s, retries: 4 }
    deploy: { resources: { limits: { cpus: "0.5", memory: 256M }, reservations: { memory: 1M } } }
    ports: ["5432:5432"]
  main:
    image: \${MAIN_IMAGE_NAME}
    build: { context: "\${CONTEXT_DIR}" }
    command: ["sh", "-c", "sleep infinity"]
    environment: { SEEN: "\${CPUS} \${MEMORY}" }
    volumes: ["\${HOST_VERIFIER_LOGS_PATH}:\${ENV_VERIFIER_LOGS_PATH}", "data:/shared"]
    depends_on: [web]
volumes: { data: }
networks: { back: { internal: true } }
`)
  expect(main).toMatchObject({ image: { type: 'built', dockerfile: 'Dockerfile' }, env: { SEEN: '1 512M' }, cpus: null, healthcheck: null })
  expect(services.main).toMatchObject({
    volumes: [{ volume: 'data', path: '/shared', read_only: false }],
    after: [{ service: 'web', condition: 'started' }],
  })
  expect(services.others.map(({ name }) => name)).toEqual(['worker', 'db', 'web'])
  const [worker, db, web] = services.others
  expect(worker).toMatchObject({ image: { type: 'built', build_timeout_ms: 1000 }, entrypoint: [], cpus: 1, memory_mb: 2048 })
  expect(db).toMatchObject({
    ...{ image: { type: 'named', name: 'postgres:16' }, aliases: ['the-db'], env: { A: '1', B: 'true' }, cpus: 0.5, memory_mb: 256 },
    healthcheck: { test: ['CMD-SHELL', 'pg_isready'], interval_ms: 90_000, retries: 4 },
  })
  expect(web).toMatchObject({
    ...{ command: ['python3', '-m', 'http.server', '80 80'], env: { WORD: 'told', GIVEN: 'told-else', COST: '$1' }, memory_mb: 1536 },
    ...{
      network: { type: 'named', networks: [{ name: 'back', aliases: ['site'], internal: true }] },
      restart: { name: 'on-failure', most: 3 },
    },
    after: [{ service: 'db', condition: 'healthy', required: true }],
    volumes: [
      { volume: 'data', path: '/data', read_only: true },
      { volume: null, path: '/own', read_only: false },
    ],
  })
  expect(web!.files.map(({ path }) => path)).toEqual(['/etc/nginx.conf'])
  expect(web!.image).toMatchObject({ context: [{ path: 'Dockerfile' }, { path: 'app.py' }] })
})

test('[HARB40] the machine has the image that the task names before one that is built, and its size and health check as the file says', () => {
  const file = `services: { main: { build: ., cpus: 2, healthcheck: { test: [CMD, test, -f, "/it is"] } }, x: { image: "\${PREBUILT_IMAGE_NAME}" } }`
  const { main, services } = compose(file, { image: 'named:1' })
  expect(main).toMatchObject({ cpus: 2, healthcheck: { command: "'test' '-f' '/it is'", interval_ms: 30_000, retries: 3 } })
  expect(compose('services: { x: { image: y } }', { image: 'named:1' }).main.image).toMatchObject({ name: 'named:1' })
  expect(services.others[0]?.image).toMatchObject({ name: 'named:1' })
})

const asks: [string, string, string][] = [
  ['the rights of its host', 'privileged: true', 'privileged'],
  ['the engine', 'volumes: ["/var/run/docker.sock:/var/run/docker.sock"]', 'volumes'],
  ['a folder of the host', 'volumes: ["../x:/y:ro"]', 'volumes'],
  ['a folder that it may write to', 'volumes: ["./conf:/y"]', 'volumes'],
  ['a way out of a folder', 'volumes: ["./conf:/y/../../z:ro"]', 'volumes'],
  ['the folder of logs', `volumes: ["\${HOST_AGENT_LOGS_PATH}:/logs"]`, 'volumes'],
  ['the network of its host', 'network_mode: host', 'network_mode'],
  ['the network of a container', 'network_mode: "container:abc"', 'network_mode'],
  ['more rights', 'cap_add: [CHOWN, SYS_ADMIN]', 'cap_add'],
  ['all rights', 'cap_add: ALL', 'cap_add'],
  ['a device', 'devices: ["/dev/kvm"]', 'devices'],
  ['a GPU', 'deploy: { resources: { reservations: { devices: [{ capabilities: [gpu] }] } } }', 'deploy'],
  ['processes of its host', 'pid: host', 'pid'],
  ['another profile', 'security_opt: ["seccomp:unconfined"]', 'security_opt'],
  ['settings of the kernel', 'sysctls: { net.core.somaxconn: 1 }', 'sysctls'],
  ['what nobody knows', 'frobnicate: 1', 'frobnicate'],
  ['a build with more', 'build: { context: ., args: { A: 1 } }', 'build'],
  ['a folder beyond the task', 'build: ../x', 'build'],
  ['a variable of the host', `environment: { A: "\${HOME}" }`, 'environment.A'],
  ['several containers', 'deploy: { replicas: 2 }', 'deploy'],
  ['who is not there', 'depends_on: [nobody]', 'depends_on'],
  ['the health of main', 'depends_on: { main: { condition: service_healthy } }', 'depends_on'],
]
for (const [what, setting, key] of asks)
  test(`[HARB41] a service that asks for ${what} is refused by its name and key`, () => {
    expect(refused(`services:\n  side:\n    image: i\n    ${setting}\n`)).toEqual([`services.side.${key}`])
  })

test('[HARB41] what no machine can be, what lies outside, and circles are refused, all at once', () => {
  const main = 'command: nginx\n    entrypoint: [x]\n    restart: always\n    network_mode: none'
  expect(refused(`services:\n  main:\n    ${main}\n`)).toEqual(
    ['command', 'entrypoint', 'network_mode', 'restart'].map((key) => `services.main.${key}`),
  )
  expect(refused('services: { a: { image: i } }\nvolumes: { v: { external: true }, w: { driver: nfs } }\nsecrets: {}\n')).toEqual([
    'secrets',
    'volumes.v.external',
    'volumes.w.driver',
  ])
  expect(refused('services: { a: { image: i, depends_on: [b] }, b: { image: i, depends_on: [a] }, c: {} }')).toEqual([
    'services',
    'services.c',
  ])
  expect([refused('a: ['), refused('x'), refused('services: 1'), refused('services: { "a b": { image: i } }')]).toEqual([
    ...[['services'], ['services'], ['services']],
    ['services.a b', 'services.a b'],
  ])
})

test('[HARB41] no text is more than a refusal', () => {
  const parts = fc.constantFrom(
    'services:',
    '\n',
    '  ',
    'main:',
    'a:',
    '&x',
    '*x',
    '<<: *x',
    '{',
    '}',
    'image: i',
    `\${`,
    '}',
    '- ',
    ': ',
    '"',
  )
  fc.assert(
    fc.property(
      fc.array(parts).map((all) => all.join('')),
      (text) => typeof readCompose(text, given).ok === 'boolean',
    ),
  )
})

test('[HARB40] variables are filled in as Compose does, and one that nobody set is refused in place of being empty', () => {
  const variables = new Map([
    ['A', 'a'],
    ['EMPTY', ''],
  ])
  const filled = (text: string) => {
    const read = fillIn(text, variables)
    return read.ok ? read.text : null
  }
  expect(['$A', `\${A}b`, '$$A', `\${EMPTY:-x}`, `\${EMPTY-x}`, `\${B:-y z}`, `\${A:+z}`, `\${B+z}`, '$EMPTY'].map(filled)).toEqual([
    'a',
    'ab',
    '$A',
    'x',
    '',
    'y z',
    'z',
    '',
    '',
  ])
  expect(['$B', `\${B}`, `\${EMPTY:?no}`, '$', `\${A`].map(filled)).toEqual([null, null, null, null, null])
  expect([splitWords(`a 'b c' "d \\"e" f\\ g ''`), splitWords('a "b')]).toEqual([['a', 'b c', 'd "e', 'f g', ''], null])
})
