import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, expect, test } from 'vitest'
import { findControlGroups } from '#fleet/sandbox/cgroup/control-groups.ts'
import { applyDiff } from '#shared/benchmarks/code_tasks/patch/apply-diff.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { runGiven } from '../testing/run-given.ts'
import { runBench } from './fixture-api.ts'

const groups = await findControlGroups()
const absent =
  spawnSync('bwrap', ['--version']).status !== 0 ? 'bwrap is not installed' : 'missing' in groups && `this machine ${groups.missing}`
if (absent) console.info(`skipped: ${absent}`)
const inSandbox = { timeout: 120_000, skip: absent !== false }

const small = join(import.meta.dirname, '../../shared/benchmarks/code_tasks/testing/catalogue')
const folder = mkdtempSync(join(tmpdir(), 'bench-code-run-'))
afterAll(() => rmSync(folder, { recursive: true }))
const catalogue = { folder, benchmark: 'code_tasks', files: [{ role: 'test', path: small }] }

/** The reference solution of a task of the small catalogue as an answer. */
async function referenceOf(id: string): Promise<string> {
  const { out } = await runBench(['tasks', 'reference', small, id])
  return `Here it is.\n${out.join('\n')}`
}

test(
  '[SCORE240] a run of code tasks leaves of each attempt what was asked, said, changed and written, in its folder, its list and its bundle',
  inSandbox,
  async () => {
    const answer = await referenceOf('python_shelf_labels')
    const counted = answer.replace(/@@ -\d+,\d+ \+\d+,\d+ @@/, '@@ -1,99 +1,1 @@') // counts are counted anew
    const answers = [
      { item: 'python_shelf_labels', texts: [counted] },
      { item: 'javascript_tally_words', texts: ['```diff\n--- a/none.mjs\n+++ b/none.mjs\n@@ -1 +1 @@\n-a\n+b\n```'] },
    ]
    const { ended, recordOf } = await runGiven({ ...catalogue, answers })
    const { dir, bundle } = ended!
    const textOf = (record: TrialRecord, name: string): string => {
      const found = record.artifacts!.find((one) => one.name === name)!
      return readFileSync(join(dir, 'artifacts', found.sha256), 'utf8')
    }
    const solved = recordOf('python_shelf_labels')
    expect(solved.outcome).toBe('right')
    expect(solved.artifacts!.map(({ name, kind }) => [name, kind])).toEqual([
      ['prompt.txt', 'file'],
      ['response.txt', 'file'],
      ['patch.diff', 'file'],
      ['stdout.log', 'log'],
    ])
    expect(textOf(solved, 'prompt.txt')).toBe(solved.messages[0]!.content)
    expect(textOf(solved, 'response.txt')).toBe(counted)
    const workspace = {
      'shelf.py': readFileSync(join(small, 'python_shelf_labels/workspace/shelf.py'), 'utf8'),
      'README.md': readFileSync(join(small, 'python_shelf_labels/workspace/README.md'), 'utf8'),
    }
    const patch = textOf(solved, 'patch.diff')
    expect(patch).toMatch(/^--- a\/shelf\.py\n\+\+\+ b\/shelf\.py\n@@ -\d+,\d+ \+\d+,\d+ @@\n/)
    expect(patch).not.toContain(',99')
    expect(applyDiff(workspace, patch, { rewrite: false })).toMatchObject({
      files: { 'shelf.py': readFileSync(join(small, 'python_shelf_labels/reference/shelf.py'), 'utf8') },
    })
    expect(textOf(solved, 'stdout.log')).toMatch(/^=== probe: labels\n@@ single \["S-000"/)

    const refused = recordOf('javascript_tally_words')
    expect([refused.outcome, refused.artifacts!.map(({ name }) => name)]).toEqual(['wrong', ['prompt.txt', 'response.txt', 'patch.diff']])
    expect(textOf(refused, 'patch.diff')).toContain('none.mjs')

    const files = unzipSync(readFileSync(bundle!))
    for (const { name, sha256 } of [...solved.artifacts!, ...refused.artifacts!])
      expect([name, strFromU8(files[`artifacts/${sha256}`]!)]).toEqual([name, readFileSync(join(dir, 'artifacts', sha256), 'utf8')])
    const shown = await runBench(['show', dir, 'code_tasks', solved.item_id])
    for (const { name } of solved.artifacts!) expect(shown.out.join('\n')).toContain(name)
  },
)
