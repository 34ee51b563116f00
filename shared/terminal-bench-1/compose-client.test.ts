import { expect, test } from 'vitest'
import { readComposeClient } from './compose-client.ts'
import { plainCompose } from './testing/plain-task1.ts'

const read = (text: string) => {
  const compose = readComposeClient(text)
  if (!compose.ok) throw new Error(compose.text)
  return compose.client
}
const beyond = (more: string) => read(plainCompose(more)).beyond

test('[SCORE293] the usual compose file is one machine with the folder of the tests in its variables, and its volumes for logs are left out', () => {
  expect(read(plainCompose())).toEqual({
    ...{ context: '', dockerfile: 'Dockerfile', env: { TEST_DIR: '/tests' }, workdir: null, cpus: null, memory_mb: null, beyond: [] },
  })
})

test('[SCORE293] sizes, directory, variables and another recipe of a service are those of the machine', () => {
  const text = plainCompose(`    working_dir: /srv
    platform: linux/amd64
    ports: ["8080:80"]
    tty: true
    deploy:
      resources:
        limits: { cpus: "2.5", memory: 4g }
`)
    .replace('      dockerfile: Dockerfile', '      context: ./image/\n      dockerfile: Other')
    .replace('      - TEST_DIR', () => `      - HOME_IS=$\${HOME}\n      - EMPTY=\n      - TEST_DIR`)
  expect(read(text)).toEqual({
    ...{ context: 'image', dockerfile: 'Other', env: { HOME_IS: `\${HOME}`, EMPTY: '', TEST_DIR: '/tests' }, workdir: '/srv' },
    ...{ cpus: 2.5, memory_mb: 4096, beyond: [] },
  })
  expect(read(plainCompose('    mem_limit: 512m\n    cpus: 1\n'))).toMatchObject({ cpus: 1, memory_mb: 512, beyond: [] })
  expect(read('services: { only: { build: ., environment: { A: 1, B: true } } }')).toMatchObject({ env: { A: '1', B: 'true' }, beyond: [] })
})

test('[SCORE293] what one machine alone has not is told: other services, rights, the host, and variables of whoever runs it', () => {
  expect(beyond('    privileged: true\n    cap_add: [SYS_ADMIN]\n')).toEqual(['privileged', 'cap_add'])
  expect(beyond('    devices: ["/dev/kvm"]\n    network_mode: host\n')).toEqual(['devices', 'network_mode'])
  expect(beyond('  db:\n    image: postgres\nvolumes:\n  data: {}\n')).toEqual(['services db', 'volumes'])
  const volumes = plainCompose().replace('    volumes:\n', '    volumes:\n      - /etc:/host\n')
  const command = plainCompose().replace('sleep infinity', 'supervisord -n')
  const variable = plainCompose().replace('      - TEST_DIR', () => `      - KEY=\${API_KEY}\n      - TEST_DIR`)
  const usual = plainCompose().replace('      - TEST_DIR', () => `      - KEY=\${API_KEY:-a}\n      - TEST_DIR`)
  const named = plainCompose().replace('      - TEST_DIR', '      - API_KEY\n      - TEST_DIR')
  const args = plainCompose().replace('      dockerfile:', '      args: { A: b }\n      dockerfile:')
  const outside = plainCompose().replace('      dockerfile:', '      context: ..\n      dockerfile:')
  expect([volumes, command, variable, usual, named, args, outside].map((text) => read(text).beyond)).toEqual([
    ...[['volumes'], ['command'], ['environment'], ['environment'], ['environment'], ['build'], ['build']],
  ])
  expect(read('services: { client: { image: alpine } }').beyond).toEqual(['image'])
})

test('[SCORE293] a file that is no YAML or has no services is refused', () => {
  expect(readComposeClient('a: [')).toMatchObject({ ok: false })
  expect([readComposeClient('a: 1'), readComposeClient('services: {}')]).toEqual(Array(2).fill({ ok: false, text: 'it has no services' }))
})
