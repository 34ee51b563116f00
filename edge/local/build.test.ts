import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, placeAgent, sourceDigest } from './build.ts'

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

test('[START14] the agent is bundled once for its sources, and each service has a folder of its own', async () => {
  const sources = { 'package.json': '{"type":"module"}', 'fleet/main.ts': `console.log('one')`, 'fleet/threads/heavy-thread.ts': '' }
  const write = (file: string, text: string) => {
    mkdirSync(join(root, file, '..'), { recursive: true })
    writeFileSync(join(root, file), text)
  }
  for (const [file, text] of Object.entries(sources)) write(file, text)
  const place = async (service: string) => {
    const dir = join(root, service)
    await placeAgent(root, join(dir, 'agent.mjs'))
    return [readdirSync(dir).sort(), /'?"?(one|two|three)/.exec(readFileSync(join(dir, 'agent.mjs'), 'utf8'))?.[1]]
  }
  const kept = () => readdirSync(join(root, '.cache/agent')).sort()
  write('a/left-over.mjs', 'of an earlier version')
  expect(await place('a')).toEqual([['agent.mjs', 'heavy-thread.mjs'], 'one'])
  const first = kept()
  const madeAt = () => statSync(join(root, '.cache/agent', first[0]!, 'agent.mjs')).mtimeMs
  const made = madeAt()
  expect(await place('b')).toEqual([['agent.mjs', 'heavy-thread.mjs'], 'one'])
  expect([kept(), madeAt()]).toEqual([first, made])
  for (const text of ['two', 'three']) {
    write('fleet/main.ts', `console.log('${text}')`)
    expect((await place('b'))[1]).toBe(text)
  }
  expect([kept().length, existsSync(join(root, '.cache/agent', first[0]!))]).toEqual([2, false])
  write('fleet/main.ts', 'no program {')
  await expect(place('b')).rejects.toThrow()
  expect(kept()).toHaveLength(2)
})
