import { expect, test } from 'vitest'
import { extractCode, withoutImports } from './extract-code.ts'

test.each([
  ['```python\nimport numpy as np\n\ndef f():\n    import math\n    return 1\n```', '\n\ndef f():\n\n    return 1\n'],
  ['```Python\nx=1\n```', 'Python\nx=1\n'],
  ['```python\nimport os; x=1\ny=2\n```', '\ny=2\n'],
  ['```python\nfrom math import (\n    sin,\n    cos)\nx=1\n```', '\n    sin,\n    cos)\nx=1\n'],
  ['```python\na\n```\n```python\nb\n```', '\na\n'],
  ['```\na\n```\n```python\nb\n```', '\nb\n'],
  ['a ```python\nx=1', '\nx=1'],
  ['no fence\nimport os\nx', 'no fence\n\nx'],
  ['```python`````python\nx', '``'],
  ['', ''],
  ['``````', ''],
])('[SCORE190] code is taken from %j', (reply, code) => {
  expect(extractCode(reply)).toBe(code)
})

/** What CPython 3.11 gives for `re.sub(r'^\s*(import .*|from .*\s+import\s+.*)', '', text, flags=re.MULTILINE)`. */
test.each([
  ['a\n\n\n  import x\nb', 'a\n\nb'],
  ['a\x85import x\nb', 'a\x85import x\nb'],
  ['a\n\x85\x1cimport x\rz\nb', 'a\n\nb'],
  ['\ufeffimport x', '\ufeffimport x'],
  ['a\u2028import x', 'a\u2028import x'],
  ['a\rimport x', 'a\rimport x'],
  ['import x\u2028y\nz', '\nz'],
  ['from a\n\nimport b\nc', '\nc'],
  ['from a import\n\n  b c\nd', '\nd'],
  ['from a import b\n import  c\nd', '\nd'],
  ['from  import x', ''],
  ['from importing import\x0bx', ''],
  ['from ximport y', 'from ximport y'],
  ['from a import', 'from a import'],
  ['from a import ', ''],
  ['import', 'import'],
  ['import ', ''],
  ['important x\nfromage import y', 'important x\nfromage import y'],
  ['x = 1; import y', 'x = 1; import y'],
])('[SCORE190] imports are taken from %j as Python takes them', (text, left) => {
  expect(withoutImports(text)).toBe(left)
})

test('[SCORE190] long runs of white space and of imports that come to nothing are read through once', () => {
  const blank = '\n'.repeat(300_000)
  expect(withoutImports(`${blank}x`)).toBe(`${blank}x`)
  const words = `from import${' ximport'.repeat(100_000)}`
  expect(withoutImports(words)).toBe(words)
  expect(withoutImports(`${' '.repeat(300_000)}import x`)).toBe('')
})
