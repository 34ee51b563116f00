import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TreeFile } from '../../solvers/machine.ts'
import { tree } from '../testing/task-files.ts'
import { fillIn, splitWords } from './fill-in.ts'
import { type Compose, type ComposeGiven, readCompose } from './read-compose.ts'
import { readEnvFile } from './read-env-file.ts'

const given: ComposeGiven = {
  context: tree({
    Dockerfile: 'FROM a',
    'web/Dockerfile': 'FROM b',
    'web/app.py': 'x',
    'conf/nginx.conf': 'c',
    'my.env': 'A=of the file\nB=$WORD',
  }),
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

test('[HARB43] arguments of a build are those of its file, those without a value are the task’s own, and one that nobody set is left out', () => {
  const argsOf = (args: string) => compose(`services: { side: { build: { context: ./web, args: ${args} } } }`).services.others[0]!.image
  expect(argsOf('{ A: 1, WORD: , B: "$WORD!" }')).toMatchObject({ type: 'built', args: { A: '1', WORD: 'told', B: 'told!' } })
  expect(argsOf('[A=x=y, WORD, HOME]')).toMatchObject({ args: { A: 'x=y', WORD: 'told' } })
  expect(argsOf('{}')).not.toHaveProperty('args')
  expect(compose('services: { main: { build: { args: { A: 1 } } } }').main.image).toMatchObject({
    dockerfile: 'Dockerfile',
    args: { A: '1' },
  })
})

test('[HARB43] variables of files come in their order, and those that a service names itself count before them', () => {
  const context = [...given.context, ...tree({ 'a/second.env': `A=second\nC=$A-\${B}\nWORD=other` })]
  const envOf = (more: string) => compose(`services: { side: { image: i, ${more} } }`, { context }).services.others[0]!.env
  expect(envOf('env_file: my.env')).toEqual({ A: 'of the file', B: 'told' })
  expect(envOf('environment: { A: own }, env_file: [./my.env, { path: a/second.env }, { path: none.env, required: false }]')).toEqual({
    ...{ A: 'own', B: 'told', C: 'of the file-told', WORD: 'other' },
  })
})

test('[HARB43] a file of variables is read as Compose reads it', () => {
  const read = (text: string) => {
    const found = readEnvFile(text, new Map([['SET', 'of the task']]))
    return found.ok ? found.value : found.text
  }
  const quoted = `\uFEFFexport A = plain # not this\r\nB: 'a $SET\\n #1' # nor this\nC="x\\ty\\"$SET\\$SET"\n\n# D=1\nSET\nNOBODY\nE="two\nlines"\nF=\n`
  expect(read(quoted)).toEqual({ A: 'plain', B: 'a $SET\\n #1', C: 'x\ty"of the task$SET', SET: 'of the task', E: 'two\nlines', F: '' })
  expect(read(`A=1\nB=$A\${C:-c}\nSET=mine\nD=$SET`)).toEqual({ A: '1', B: '1c', SET: 'mine', D: 'of the task' })
  expect([read('A=1\nB="x'), read('a-b=1'), read('A B=1'), read('=1'), read('A'), read('A=1\n\nB=$NOBODY')]).toEqual([
    'the quotation in line 2 does not end',
    ...['line 1 is no NAME=value', 'line 1 is no NAME=value', 'line 1 is no NAME=value', 'line 1 is no NAME=value'],
    expect.stringMatching(/^line 3: NOBODY is set nowhere/),
  ])
})

test('[HARB44] a secret is a file of the task or the value of a variable that the task has, put into the services that name it', () => {
  const file = `
services:
  side: { image: i, secrets: [word, { source: conf, target: other, mode: 256 }] }
  main: { secrets: [{ source: word, target: /etc/word }], volumes: ["./web/app.py:/app.py:ro"] }
  third: { image: i }
secrets: { word: { environment: WORD }, conf: { file: ./conf/nginx.conf } }
`
  const { services } = compose(file)
  const told = (files: readonly TreeFile[]) => files.map(({ path, mode, bytes }) => [path, mode, new TextDecoder().decode(bytes)])
  const of = (name: string) => told(services.others.find((one) => one.name === name)!.files)
  expect(of('side')).toEqual([
    ['/run/secrets/word', 0o444, 'told'],
    ['/run/secrets/other', 0o644, 'c'],
  ])
  expect(told(services.main.files).map(([path]) => path)).toEqual(['/etc/word', '/app.py'])
  expect(of('third')).toEqual([])
})

const secrets: [string, string, string][] = [
  ['a file of its host', '{ file: /etc/shadow }', 'word'],
  ['a file beyond the task', '{ file: ../x }', 'word'],
  ['a file of who runs it', '{ file: ~/.netrc }', 'word'],
  ['a variable of its host', '{ environment: HOME }', 'word'],
  ['what an engine keeps', '{ external: true }', 'word'],
  ['two things at once', '{ file: ./my.env, environment: WORD }', 'word'],
  ['another user’s file', '{ environment: WORD }', '{ source: word, uid: "1000" }'],
  ['a place that leads elsewhere', '{ environment: WORD }', '{ source: word, target: ../../etc/passwd }'],
  ['no place', '{ environment: WORD }', '{ source: word, target: /etc/ }'],
]
for (const [what, top, own] of secrets)
  test(`[HARB44] a secret that is ${what} is refused by service and key`, () => {
    const file = `services: { side: { image: i, secrets: [${own}] } }\nsecrets: { word: ${top} }`
    const read = readCompose(file, given)
    expect(read.ok ? [] : read.refused.map(({ key }) => key)).toEqual(['services.side.secrets'])
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
  ['a build with more', 'build: { context: ., secrets: [a] }', 'build'],
  ['arguments that are none', 'build: { context: ., args: 3 }', 'build'],
  ['a file of variables beyond the task', 'env_file: ../my.env', 'env_file'],
  ['a file of variables of its host', 'env_file: [my.env, /etc/environment]', 'env_file'],
  ['a file of variables of who runs it', 'env_file: ~/.env', 'env_file'],
  ['a file of variables that is not there', 'env_file: [{ path: none.env }]', 'env_file'],
  ['a file of variables in another form', 'env_file: [{ path: my.env, format: raw }]', 'env_file'],
  ['a file that is none of variables', 'env_file: conf/nginx.conf', 'env_file'],
  ['a secret that is not named at the top', 'secrets: [nothing]', 'secrets'],
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
  expect(refused('services: { a: { image: i } }\nvolumes: { v: { external: true }, w: { driver: nfs } }\nconfigs: {}\n')).toEqual([
    'configs',
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
