import { expect, test } from 'vitest'
import { loadTask } from './load-task.ts'
import { plainTask, tree } from './testing/task-files.ts'

test('[HARB370] scripts with line ends of Windows are named, and no others: shell scripts anywhere in them, Python by its first line', () => {
  const crlf = '#!/bin/bash\r\necho 1\r\n'
  const loaded = loadTask(
    'folder',
    tree({
      ...plainTask,
      'tests/test.sh': crlf,
      'solution/solve.sh': 'echo done > done.txt\r\n',
      'solution/run.py': '#!/usr/bin/env python3\r\n',
      'tests/plain.py': 'import os\r\n',
      'tests/data/rows.csv': 'a,b\r\n',
      'tests/lf.sh': "printf 'a\\r\\n'\n",
      'environment/Dockerfile': 'FROM x\r\n',
      'environment/start.sh': crlf,
      'README.sh': crlf,
    }),
  )
  if (!loaded.ok) throw new Error('no task')
  const { script_warnings } = loaded.task
  expect(script_warnings.map((one) => one.split(' ')[0]).sort()).toEqual([
    'environment/start.sh',
    'solution/run.py',
    'solution/solve.sh',
    'tests/test.sh',
  ])
  expect(script_warnings[0]).toContain('save it with LF')
})
