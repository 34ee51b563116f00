import { expect, test } from 'vitest'
import type { Machine } from '../solvers/machine.ts'
import type { Tools } from '../solvers/machine-sight.ts'
import { listTools, toolsReplaced } from './machine-tools.ts'
import { type Answer, type Files, fileMachine, write } from './testing/file-machine.ts'

const usual = ['bash /usr/bin/bash program 1/9', 'python3 /usr/bin/python3 program 2/9', 'pip /usr/bin/pip script 3/9 #!/bin/sh\x1ftrue']
const wrapper = (module: string, more = ''): string =>
  `#!/usr/bin/python3\n# -*- coding: utf-8 -*-\nimport sys\nfrom ${module} import main\n${more}if __name__ == '__main__':\n    sys.exit(main())\n`

/** The tools of a machine that tells these lines, with files where others look. */
async function tools(lines: readonly string[], change: (files: Files) => void = () => undefined): Promise<Tools> {
  const fake = fileMachine((argv): Answer | undefined => (argv.includes('--norc') ? [0, `${lines.join('\n')}\n`] : undefined))
  change(fake.files)
  const listed = await listTools(fake.machine)
  if (!listed.ok) throw new Error(listed.failure.detail)
  return listed.value
}
const replaced = async (lines: readonly string[], change?: (files: Files) => void): Promise<boolean> =>
  toolsReplaced(await tools(usual), await tools(lines, change))
const script = (name: string, text: string, sum = '7/7'): string =>
  `${name} /usr/local/bin/${name} script ${sum} ${text.replaceAll('\n', '\x1f')}`

test('[EPI8] a script where a program was, or where none was, is one that was put in its place', async () => {
  expect(await replaced(usual)).toBe(false)
  expect(await replaced([...usual.slice(1), script('bash', '#!/bin/sh\ntrue')])).toBe(true)
  expect(await replaced([...usual, script('curl', '#!/bin/sh\ntrue')])).toBe(true)
  expect(await replaced([...usual, script('pytest', '#!/bin/sh\ntrue')])).toBe(true)
  expect(await replaced([...usual.slice(0, 2), script('pip', '#!/bin/sh\nfalse')])).toBe(true)
})

test('[EPI8] what is loaded into every program, and a small file where the shell stands, is one too', async () => {
  expect(await replaced([...usual, '/etc/ld.so.preload /etc/ld.so.preload script 1/1 x'])).toBe(true)
  expect(await replaced([...usual, '/usr/lib/python3/dist-packages/sitecustomize.py x script 1/1 x'])).toBe(true)
  for (const path of ['/usr/local/bin/bash', '/etc/ld.so.preload'])
    expect(await replaced(usual, (files) => write(files, path, '#!'))).toBe(true)
})

test('[EPI9] a newer program, what an installer wrote for its module, and what is gone is none', async () => {
  expect(await replaced(['bash /usr/local/bin/bash program 5/5', ...usual.slice(1)])).toBe(false)
  expect(await replaced([...usual, 'curl /usr/bin/curl program 5/5'])).toBe(false)
  expect(await replaced(usual.slice(0, 2))).toBe(false)
  expect(await replaced([...usual.slice(0, 2), script('pip', wrapper('pip._internal.cli.main'))])).toBe(false)
  expect(await replaced([...usual, script('pytest', wrapper('pytest'))])).toBe(false)
  expect(await replaced([...usual, script('python', '#!/bin/sh\nexec python3 "$@"')])).toBe(false)
  expect(await replaced([...usual, '/etc/python3.11/sitecustomize.py x script 1/1 x'])).toBe(false)
})

test('[EPI8] what is nearly a wrapper of its module is none', async () => {
  for (const text of [wrapper('other'), wrapper('pytest', 'open("x")\n'), wrapper('pytest').replace('#!/usr/bin/python3', '#!/tmp/sh')])
    expect(await replaced([...usual, script('pytest', text)])).toBe(true)
})

test('[EPI8] a machine that could tell its tools before and cannot any more was changed; one that is gone has failed', async () => {
  const mute = fileMachine((argv): Answer | undefined => (argv.includes('--norc') ? [1, ''] : undefined)).machine
  const silent = await listTools(mute)
  expect(silent.ok && [toolsReplaced(await tools(usual), silent.value), toolsReplaced(silent.value, silent.value)]).toEqual([true, false])
  const gone: Machine = { ...mute, download: async () => ({ ok: false, reason: 'unavailable' }) }
  expect(await listTools(gone)).toMatchObject({ ok: false, failure: { at: 'sandbox', reason: 'unavailable', retryable: true } })
})
