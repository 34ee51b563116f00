import { expect, test } from 'vitest'
import { markWith, testScript, testsReached } from './test-script.ts'

const script = {
  file: 'import numpy as np\n\n\n\ndef f():\n    return 1',
  step: '7.2',
  cases: ['assert f() == target', 'x = 2\nassert f() < x'],
}

test('[SCORE194] without marks the script is the official text', () => {
  expect(testScript({ ...script, targets: '/t', mark: null })).toBe(
    "import numpy as np\n\n\n\ndef f():\n    return 1\n\nfrom scicode.parse.parse import process_hdf5_to_tuple\n\ntargets = process_hdf5_to_tuple('7.2', 2, '/t')\n" +
      'target = targets[0]\n\nassert f() == target\ntarget = targets[1]\n\nx = 2\nassert f() < x\n',
  )
})

test('[SCORE194] line ends of the program are those of a text file that Python read; those of test cases stay', () => {
  const text = testScript({ ...script, file: 'a\r\nb\rc', cases: ['d\re'], targets: '/t', mark: null })
  expect(text).toMatch(/^a\nb\nc\n\nfrom [\s\S]*\n\nd\re\n$/)
})

test('[SCORE194] marks stand between the tests and are all that is added', () => {
  const mark = markWith('n0nce')
  const marked = testScript({ ...script, targets: '/t', mark })
  expect([0, 1, 2].map((reached) => marked.split(mark(reached)).length)).toEqual([2, 2, 2])
  expect([0, 1, 2].reduce((text, reached) => text.replace(mark(reached), ''), marked)).toBe(
    testScript({ ...script, targets: '/t', mark: null }),
  )
  expect(marked.endsWith(mark(2))).toBe(true)
})

test('[SCORE194] how far a script came is read from marks in their order, and from no others', () => {
  expect(testsReached('', 'n')).toBe(-1)
  expect(testsReached('n 0\n', 'n')).toBe(0)
  expect(testsReached('other 1\nn 0\nx\nn 1\nn 2\n', 'n')).toBe(2)
  expect(testsReached('n 2\nn 0\n', 'n')).toBe(0)
})
