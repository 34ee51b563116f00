import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { hidesName, hidesProperty, plantCanary, searchScript } from './planted-canary.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-planted-'))
afterAll(() => rmSync(folder, { recursive: true }))
const place = { path: folder, what: 'the data directory', whole: true }
/** Runs a search on this machine itself, where everything is to be seen: below this folder in place of the root, and of one process. */
const search = (script: string, below = folder): string =>
  spawnSync('sh', ['-c', script.replace('find / ', `find ${below} `).replaceAll('/proc/[0-9]*', '/proc/self')], { encoding: 'utf8' }).stdout

test('[SBX372] a planted canary is found by path, name and content, where nothing hides it, and leaves nothing', () => {
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(folder, '.bench-canary-left'), '')
  utimesSync(join(folder, '.bench-canary-left'), 1, 1)
  {
    using canary = plantCanary([place, { ...place, path: '/no/such/place' }, { ...place, what: 'the home directory', path: tmpdir() }])
    expect([canary.places, canary.planted]).toEqual([[folder, '/no/such/place'], 1])
    copyFileSync(join(folder, canary.name), join(folder, 'elsewhere', 'other name'))
    const said = search(searchScript(canary, true))
    for (const trace of [`place ${folder}`, `file ${folder}/${canary.name}`, `copy ${folder}/elsewhere/other name`])
      expect(said).toContain(trace)
    expect(search(searchScript(canary, false))).toContain(`place ${folder}`)
    expect(hidesProperty(canary, true)).toMatchObject({ name: hidesName })
    expect(
      hidesProperty(canary, true).holds({ end: 'exited', exit_code: 0, stdout: new Uint8Array(), stderr: new Uint8Array() }, said),
    ).toBe(false)
  }
  expect(readdirSync(folder)).toEqual(['elsewhere'])
})

test('[SBX372] a search that finds nothing says so, and one that was cut off is no proof', () => {
  const empty = join(folder, 'empty')
  mkdirSync(empty)
  const sought = { places: ['/no/such/place'], name: '.bench-canary-0a', word: 'c0ffee', size: 40_009 }
  const said = search(searchScript(sought, true), empty)
  expect(said).toBe('searched\n')
  const { holds } = hidesProperty(sought, true)
  const ended = { exit_code: 0, stdout: new Uint8Array(), stderr: new Uint8Array() }
  expect([
    holds({ ...ended, end: 'exited' }, said),
    holds({ ...ended, end: 'timeout' }, said),
    holds({ ...ended, end: 'exited' }, ''),
  ]).toEqual([true, false, false])
})
