import { echoFile, type FixtureFiles, type FixtureToml, solvedBy, verifiedBy } from '#fleet/machine/testing/fixture-tasks.ts'
import { machineImage } from '#fleet/machine/testing/machine-image.ts'
import type { HarborParityTask } from './tasks-harbor.ts'

const reward = '/logs/verifier/reward.txt'
const compose = (text: string): FixtureFiles => ({ 'environment/docker-compose.yaml': text })
const given = (name: string, value: string): FixtureToml => ({ more: `[environment.env]\n${name} = "${value}"\n` })
/** A command that writes what an address answers into a file; a second passes before each new try. */
const fetched = (url: string, file: string, tries = 1): string =>
  `for try in $(seq ${tries}); do python3 -c "import urllib.request as u; open('${file}', 'wb').write(u.urlopen('${url}', timeout=5).read())" && break; sleep 1; done`
/** A server of the volume \`data\` that is there a second after it began. */
const site = (more = ''): string => `
  site:
    image: ${machineImage}
    command: sh -c "sleep 1; exec python3 -m http.server 8000 --directory /data"
    volumes: ["data:/data"]
    ${more}`
const check =
  'healthcheck: { test: "python3 -c \\"import urllib.request as u; u.urlopen(\'http://localhost:8000/\')\\"", interval: 500ms, retries: 40 }'
/** What writes a word into the volume and ends. */
const seed = (word: string): string => `
  seed:
    image: ${machineImage}
    command: ["sh", "-c", "echo ${word} > /data/word"]
    volumes: ["data:/data"]`
const ended = 'depends_on: { seed: { condition: service_completed_successfully } }'
const waiting = (more: string): string => `
  main:
    ${more}`
const volume = '\nvolumes: { data: }\n'

const classed = 'Harbor says RuntimeError of all that keeps a service from standing, we say what it was (MACH62)'
const denied = 'Harbor gives a service what Compose does, we refuse a task that wants something of its host (HARB41)'
const unset = 'Harbor takes a variable that is set nowhere as empty, we refuse the task (HARB40)'

/** A task that needs nothing of the service beside its machine. */
const standing = (name: string, settings: string, image: string = machineImage): HarborParityTask => ({
  name,
  files: echoFile(
    {},
    compose(`services: { side: { image: "${image}", ${settings} } }
`),
  ),
})

/** Tasks of several services. They need networks of the engine's, as all tasks that Harbor runs. */
export const serviceTasks: readonly HarborParityTask[] = [
  {
    name: 'services-healthy',
    files: echoFile(
      {},
      {
        ...compose(
          `services:${seed('hello')}${site(`${check}\n    ${ended}`)}${waiting('depends_on: { site: { condition: service_healthy } }')}${volume}`,
        ),
        ...solvedBy(fetched('http://site:8000/word', '/app/out.txt')),
      },
    ),
  },
  {
    name: 'services-tested',
    files: echoFile(
      {},
      {
        ...compose(`services:${site()}${waiting('volumes: ["data:/shared"]')}${volume}`),
        ...solvedBy('echo hello > /shared/word'),
        ...verifiedBy(
          `${fetched('http://site:8000/word', '/tmp/word', 4)}; if grep -qx hello /tmp/word; then echo 1; else echo 0; fi > ${reward}`,
        ),
      },
    ),
  },
  {
    name: 'services-variables',
    files: echoFile(given('WORD', 'hello'), {
      ...compose(
        `services:${seed('$$GIVEN')}\n    environment: ["GIVEN=$WORD"]${waiting(`volumes: ["data:/shared:ro"]\n    ${ended}`)}${volume}`,
      ),
      ...solvedBy('cp /shared/word /app/out.txt'),
    }),
  },
  {
    name: 'services-network',
    files: echoFile(
      {},
      {
        ...compose(
          `services:${seed('hello')}\n    network_mode: none${site(`${check}\n    networks: { back: { aliases: [elsewhere] } }\n    ${ended}`)}${waiting('networks: [back, default]\n    depends_on: { site: { condition: service_healthy } }')}${volume}networks: { back: }\n`,
        ),
        ...solvedBy(fetched('http://elsewhere:8000/word', '/app/out.txt')),
      },
    ),
  },
  {
    name: 'services-apart',
    files: echoFile(
      {},
      {
        ...compose(`services:${seed('hello')}${site(`networks: [back]\n    ${ended}`)}${volume}networks: { back: }\n`),
        ...solvedBy(fetched('http://site:8000/word', '/app/out.txt', 2)),
      },
    ),
  },
  { ...standing('services-no-program', 'command: /no/such/program'), differs: { oracle: classed, nop: classed } },
  { ...standing('services-no-image', '', '127.0.0.1:1/none:1'), differs: { oracle: classed, nop: classed } },
  {
    name: 'services-failing-build',
    files: echoFile(
      {},
      { ...compose('services: { side: { build: ./side } }\n'), 'environment/side/Dockerfile': `FROM ${machineImage}\nRUN exit 3\n` },
    ),
  },
  // It is asked for its health a second after it began, when it has ended.
  {
    ...standing('services-end-early', 'command: sh -c "exit 3", healthcheck: { test: "true", interval: 1s }'),
    differs: { oracle: classed, nop: classed },
  },
  { name: 'services-end-later', files: { ...standing('', 'command: sleep 2').files, ...solvedBy('sleep 3; echo hello > /app/out.txt') } },
  {
    ...standing('services-never-healthy', 'command: sleep 600, healthcheck: { test: "false", interval: 200ms, retries: 2 }'),
    differs: { oracle: classed, nop: classed },
  },
  {
    name: 'services-built',
    files: echoFile(
      { environment: 'docker_image = ""', ...given('WORD', 'hello') },
      {
        'environment/Dockerfile': `FROM ${machineImage}\nARG PART=none\nRUN echo "$PART" > /opt/part\n`,
        'environment/files/some.env': `PLACE='/run/secrets'\nWHAT="\${WORD}-and" # more\n`,
        'environment/files/secret': 'of a file\n',
        ...compose(`services:
  main:
    build: { args: { PART: "of \${WORD}" } }
    env_file: files/some.env
    environment: { WHAT_ELSE: "own" }
    secrets: [word, { source: file, target: other }]
secrets: { word: { environment: WORD }, file: { file: ./files/secret } }
`),
        ...solvedBy('echo "$WHAT $WHAT_ELSE $(cat /opt/part $PLACE/word) $(cat $PLACE/other)" > /app/out.txt'),
        ...verifiedBy(`if [ "$(cat /app/out.txt)" = "hello-and own of hello\nhello of a file" ]; then echo 1; else echo 0; fi > ${reward}`),
      },
    ),
  },
  { ...standing('services-privileged', 'command: sleep 600, privileged: true'), differs: { oracle: denied, nop: denied } },
  { ...standing('services-unset', 'command: sleep 600, environment: ["A=$NOBODY_SETS_IT"]'), differs: { oracle: unset, nop: unset } },
]
