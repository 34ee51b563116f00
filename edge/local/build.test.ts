import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, placeFleet, sourceDigest } from './build.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bench-build-'))
  for (const dir of ['web/src', 'edge/local', 'shared/benchmarks/x', 'dist/server']) mkdirSync(join(root, dir), { recursive: true })
  writeFileSync(join(root, 'web/src/app.tsx'), 'one')
  writeFileSync(join(root, 'dist/server/wrangler.json'), '{}')
  writeFileSync(join(root, 'dist/.stamp'), sourceDigest(root))
})
afterEach(() => rmSync(root, { recursive: true }))

test('[START14] what was built from the present sources is not built again', () => {
  expect(isBuilt(root)).toBe(true)
  for (const file of [
    'edge/local/host.ts',
    'web/src/app.test.tsx',
    'shared/benchmarks/x/golden.jsonl',
    'edge/README.md',
    'shared/benchmarks/.bench-canary-1',
  ])
    writeFileSync(join(root, file), 'x')
  expect(isBuilt(root)).toBe(true)
})

test.each(['web/src/app.tsx', 'web/src/new.ts', 'shared/benchmarks/x/card.ts', 'package-lock.json', 'vite.config.ts'])(
  '[START14] a change of %s asks for a build',
  (file) => {
    writeFileSync(join(root, file), 'two')
    expect(isBuilt(root)).toBe(false)
  },
)

test('[START14] a build that did not finish is none', () => {
  rmSync(join(root, 'dist/.stamp'))
  expect(isBuilt(root)).toBe(false)
})

test('[START14] the fleet is bundled once for its sources, and each service has a folder of its own', async () => {
  const others = ['fleet/threads/heavy-thread.ts', 'fleet/cli/demo-model.ts', 'fleet/cli/describe-machine.ts']
  const sources = {
    'package.json': '{"type":"module"}',
    'fleet/main.ts': `console.log('one')`,
    ...Object.fromEntries(others.map((file) => [file, ''])),
  }
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const [file, text] of Object.entries(sources)) write(file, text)
  const place = async (service: string) => {
    const dir = join(root, service)
    await placeFleet(root, dir)
    return [readdirSync(dir).sort(), /'?"?(one|two|three)/.exec(readFileSync(join(dir, 'agent.mjs'), 'utf8'))?.[1]]
  }
  const kept = () => readdirSync(join(root, '.cache/fleet')).sort()
  const files = ['agent.mjs', 'demo-model.mjs', 'describe-machine.mjs', 'heavy-thread.mjs']
  write('a/left-over.mjs', 'of an earlier version')
  expect(await place('a')).toEqual([files, 'one'])
  const first = kept()
  const madeAt = () => statSync(join(root, '.cache/fleet', first[0]!, 'agent.mjs')).mtimeMs
  const made = madeAt()
  expect(await place('b')).toEqual([files, 'one'])
  expect([kept(), madeAt()]).toEqual([first, made])
  for (const text of ['two', 'three']) {
    write('fleet/main.ts', `console.log('${text}')`)
    expect((await place('b'))[1]).toBe(text)
  }
  expect([kept().length, existsSync(join(root, '.cache/fleet', first[0]!))]).toEqual([2, false])
  write('fleet/main.ts', 'no program {')
  await expect(place('b')).rejects.toThrow()
  expect(kept()).toHaveLength(2)
})
