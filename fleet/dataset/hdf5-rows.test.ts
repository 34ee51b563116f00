import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { File, ready } from 'h5wasm/node'
import { afterAll, expect, test } from 'vitest'
import { pythonPackage } from '#shared/benchmarks/scicode/python-package.ts'
import { StepTargets } from '#shared/benchmarks/scicode/record.ts'
import { targetsFile } from '#shared/benchmarks/scicode/targets-file.ts'
import { hdf5Rows } from './hdf5-rows.ts'
import { openFileServer, openTestEnv, sha256Of } from './loopback-server.ts'
import { openDataset } from './open-dataset.ts'
import { streamRows } from './rows.ts'

const folder = mkdtempSync(join(tmpdir(), 'bench-hdf5-'))
afterAll(() => rmSync(folder, { recursive: true }))
const pythons = ['python3', '/usr/bin/python3']
const python = pythons.find((name) => spawnSync(name, ['-c', 'import h5py, numpy, scipy, sympy']).status === 0)
if (!python) console.info('skipped: no Python with h5py, numpy, scipy and sympy is here')
const benchmark = new URL('../../shared/benchmarks/scicode/', import.meta.url)
const patience = 120_000

async function rowsOf(path: string): Promise<StepTargets[]> {
  const rows: StepTargets[] = []
  for await (const row of streamRows(path, path, undefined, 2 ** 20)) rows.push(StepTargets.parse(row))
  return rows
}

function runPython(script: string): string {
  for (const [name, text] of Object.entries(pythonPackage)) {
    spawnSync('mkdir', ['-p', join(folder, 'package', name, '..')])
    writeFileSync(join(folder, 'package', name), text)
  }
  const done = spawnSync(python!, ['-c', script], {
    cwd: folder,
    env: { PYTHONPATH: join(folder, 'package'), PATH: process.env.PATH ?? '' },
    encoding: 'utf8',
  })
  if (done.status !== 0) throw new Error(done.stderr)
  return done.stdout
}

test('[SCORE202] groups become rows and members stand in the order of names, whoever wrote the file and in whatever order', async () => {
  await ready
  const path = join(folder, 'order.h5')
  const file = new File(path, 'w')
  for (const name of ['2.1', '10.1', '1.1']) file.create_group(name).create_group('test1')
  const test1 = file.get('1.1/test1') as ReturnType<File['create_group']>
  test1.create_dataset({ name: 'var2', data: new Int32Array([1, -2, 3]) })
  test1.create_dataset({ name: 'var10', data: 'héllo' })
  test1.create_dataset({ name: 'var1', data: new Float64Array([0.5, 1.5]), shape: [1, 2] })
  file.close()
  const rows = await rowsOf(path)
  expect(rows.map(({ name }) => name)).toEqual(['1.1', '10.1', '2.1'])
  expect(rows[0]!.root).toEqual({
    type: 'group',
    members: [
      [
        'test1',
        {
          type: 'group',
          members: [
            ['var1', { type: 'array', dtype: '<f8', shape: [1, 2], at: 0, bytes: 16 }],
            ['var10', { type: 'texts', shape: [], texts: ['héllo'] }],
            ['var2', { type: 'array', dtype: '<i4', shape: [3], at: 16, bytes: 12 }],
          ],
        },
      ],
    ],
  })
  expect([...(rows[0]!.data as Uint8Array).subarray(16)]).toEqual([1, 0, 0, 0, 254, 255, 255, 255, 3, 0, 0, 0])
})

test('[SCORE203] a large HDF5 file comes from the repository that it names, and may hold more groups than are counted', async () => {
  await ready
  const path = join(folder, 'large.h5')
  const file = new File(path, 'w')
  const values = Float64Array.from({ length: 9000 }, (_, index) => index / 3)
  for (const name of ['3.1', '3.2', '3.3']) file.create_group(name).create_group('test1').create_dataset({ name: 'var1', data: values })
  file.close()
  const bytes = readFileSync(path)
  const other = { repo: 'other/set', revision: 'b'.repeat(40) }
  await using hub = await openFileServer({ [`/datasets/other/set/resolve/${other.revision}/large.h5`]: bytes })
  await using place = await openTestEnv(hub.origin)
  const targets = { role: 'targets', path: 'large.h5', sha256: sha256Of(bytes), rows: 2, from: other }
  const identity = { source: 'pinned' as const, repo: 'acme/set', revision: 'a'.repeat(40), files: [targets] }
  const opened = await openDataset({ benchmark: 'acme', identity, roles: ['targets'] }, place.env)
  if (!opened.ok) throw new Error(opened.failure.detail)
  const { rows, seen, sources, close } = opened.value
  expect([seen[0]?.rows, sources.targets?.[0]?.type]).toEqual([3, 'store'])
  const { name, data } = StepTargets.parse(await rows.targets!.read(1))
  expect([name, new Float64Array(new Uint8Array(data).buffer)]).toEqual(['3.2', values])
  await close()
  const unpinned = { ...identity, files: [{ ...targets, sha256: null }] }
  expect(await openDataset({ benchmark: 'acme', identity: unpinned, roles: ['targets'] }, place.env)).toMatchObject({
    ok: false,
    failure: { reason: 'mismatch' },
  })
})

test('[SCORE202] a file that is no HDF5 is a bad record', async () => {
  const path = join(folder, 'none.h5')
  writeFileSync(path, 'not a file of this kind')
  await expect(hdf5Rows(path, 'none.h5').next()).rejects.toMatchObject({
    failure: { reason: 'bad-record', detail: 'none.h5: not a readable HDF5 file' },
  })
})

test('[SCORE202] an HDF5 file that was cut short, or has other bytes in the middle, is a bad record that says where', async () => {
  await ready
  const path = join(folder, 'damaged.h5')
  const file = new File(path, 'w')
  for (const name of ['1.1', '1.2'])
    file
      .create_group(name)
      .create_group('test1')
      .create_dataset({ name: 'var1', data: new Float64Array(500) })
  file.close()
  const whole = readFileSync(path)
  const after = async (bytes: Uint8Array): Promise<string> => {
    writeFileSync(path, bytes)
    return rowsOf(path).then(
      () => 'read',
      ({ failure }) => `${failure.reason}: ${failure.detail.replaceAll(path, 'damaged.h5')}`,
    )
  }
  expect(await after(whole.subarray(0, whole.length - 100))).toBe(
    'bad-record: damaged.h5: not a readable HDF5 file (unable to synchronously open file): the file is damaged',
  )
  // The name of the member of the second group, where its group keeps it.
  const at = whole.lastIndexOf('test1')
  expect(await after(Buffer.concat([whole.subarray(0, at - 40), Buffer.alloc(80, 0xaa), whole.subarray(at + 40)]))).toMatch(
    /^bad-record: damaged\.h5: the group 1\.2 cannot be read \(.+\): the file is damaged$/,
  )
})

const everyKind = `import h5py, numpy as np
with h5py.File("kinds.h5", "w") as file:
    test = file.create_group("5.1/test1")
    values = dict(a=np.arange(6.).reshape(2, 3), b=3, c="héllo", d=True, e=1 + 2j, f=np.array([1j, 2], "c8"), g=np.array([b"ab", b"c"]),
        h=np.array([True, False]), i=np.float32(2), j=np.array([], float), k=np.bytes_(b"x"), l=np.uint8(3), n=np.arange(4, dtype=">i4"),
        p=np.float16(1.5), q=np.uint64(2**63), r=np.longdouble(1.25), u="", v=np.zeros((2, 0, 3)))
    for name, value in values.items():
        test.create_dataset(name, data=value)
    test.create_dataset("m", data=["a", "ü"], dtype=h5py.string_dtype())
    test.create_dataset("s", data=np.arange(9000.), compression="gzip")
    file.create_dataset("5.2/test1/empty", data=h5py.Empty("f"))
    file.create_dataset("5.2/test1/pair", data=np.zeros(2, [("x", "f8"), ("y", "i4")]))
`
const sameKinds = `import h5py, numpy as np
from scicode.parse.parse import process_hdf5_to_tuple
names = sorted(h5py.File("kinds.h5")["5.1/test1"])
ours = dict(zip(names, process_hdf5_to_tuple("5.1", 1, "targets")[0]))
for name, node in h5py.File("kinds.h5")["5.1/test1"].items():
    theirs = node[()]
    if isinstance(theirs, bytes):
        theirs = theirs.decode("utf-8")
    same = type(theirs) is type(ours[name]) and (theirs == ours[name] if isinstance(theirs, str) else theirs.dtype.newbyteorder("=") == ours[name].dtype and theirs.shape == ours[name].shape and np.array_equal(theirs, ours[name]))
    print(name, same)
`

test.skipIf(!python)(
  '[SCORE198] every kind of value comes out as h5py gives it; those of unknown kinds say so',
  async () => {
    runPython(everyKind)
    const [kinds, odd] = await rowsOf(join(folder, 'kinds.h5'))
    writeFileSync(join(folder, 'targets'), targetsFile(kinds!))
    const lines = runPython(sameKinds).trim().split('\n')
    expect(lines).toHaveLength(20)
    expect(lines.filter((line) => !line.endsWith('True'))).toEqual([])
    expect(JSON.stringify(odd!.root)).toMatch(/it has no shape.*values of class 6 and 1[26] bytes are not known/)
  },
  patience,
)

const layouts = `import h5py, json, numpy as np
from scicode.parse.parse import process_hdf5_to_tuple
def shown(value):
    if hasattr(value, "toarray"):
        return [type(value).__name__, value.toarray().tolist()]
    if isinstance(value, dict):
        return {repr(key): shown(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [type(value).__name__, *map(shown, value)]
    return value.tolist() if hasattr(value, "tolist") else value
print(json.dumps([shown(one) for one in process_hdf5_to_tuple("9.1", TESTS, "targets")]))
`
const writeLayouts = `import h5py, numpy as np, scipy.sparse as sp
def matrix(group, one, extra):
    inner = group.create_group("sparse_matrix")
    for name in ["data", "shape", *extra]:
        inner.create_dataset(name, data=getattr(one, name))
dense = np.array([[0, 1, 0, 2], [3, 0, 0, 0]], float)
with h5py.File("layouts.h5", "w") as file:
    file["9.1/test1/var1"] = 7
    file["9.1/test2/var1"], file["9.1/test2/var2"] = np.arange(3), "two"
    file["9.1/test3/var1/list/var1"], file["9.1/test3/var1/list/var2"] = np.ones(2), 5.0
    matrix(file.create_group("9.1/test4/var1"), sp.csr_matrix(dense), ["indices", "indptr"])
    matrix(file.create_group("9.1/test5/var1"), sp.coo_matrix(dense), ["row", "col"])
    matrix(file.create_group("9.1/test6/var1"), sp.bsr_matrix(dense, blocksize=(1, 2)), ["indices", "indptr", "blocksize"])
    file["9.1/test7/var1/0.5"], file["9.1/test7/var1/name"], file["9.1/test7/var1/1e3"] = 1, "x", np.zeros(1)
    matrix(file.create_group("9.1/test7/var1/m"), sp.csr_matrix(dense), ["indices", "indptr"])
    file.create_group("9.1/test8")
    file["9.1/test9"] = 1
    file["9.2/test1/var1"] = 1
`

test.skipIf(!python)(
  '[SCORE198] scalars, tuples, lists, sparse matrices and dictionaries are built from their layout',
  async () => {
    runPython(writeLayouts)
    const [row, next] = await rowsOf(join(folder, 'layouts.h5'))
    writeFileSync(join(folder, 'targets'), targetsFile(row!))
    const dense = [
      [0, 1, 0, 2],
      [3, 0, 0, 0],
    ]
    expect(JSON.parse(runPython(layouts.replace('TESTS', '8')))).toEqual([
      7,
      ['tuple', [0, 1, 2], 'two'],
      ['list', [1, 1], 5],
      ['csr_matrix', dense],
      ['coo_matrix', dense],
      ['bsr_matrix', dense],
      { '0.5': 1, '1000.0': [0], "'m'": ['csr_matrix', dense], "'name'": 'x' },
      ['tuple'],
    ])
    expect(() => runPython(layouts.replace('TESTS', '9'))).toThrow('FileNotFoundError')
    writeFileSync(join(folder, 'targets'), targetsFile({ ...next!, name: '9.1' }))
    expect(() => runPython(layouts.replace('TESTS', '2'))).toThrow("KeyError: 'test2'")
    writeFileSync(join(folder, 'targets'), targetsFile(next!))
    expect(() => runPython(layouts.replace('TESTS', '1'))).toThrow("KeyError: '9.1'")
  },
  patience,
)

const comparisons = `import numpy as np, scipy.sparse as sp, sympy
from scicode.compare.cmp import are_csc_matrix_close as m, are_dicts_close as d, cmp_tuple_or_list as t
x, c = sympy.Symbol("x"), sp.csc_matrix(np.eye(2))
print([bool(one) for one in (
    d({"a": 1.0}, {"a": 1.0 + 9e-6}), d({"a": 1e9}, {"a": 1e9 + 9e3}), d({x: 2, "y": x}, {"x": 2.0, "y": "x"}), d({"a": c}, {"a": c + 1e-9 * c}), d({0.5: [1, 2]}, {0.5: np.array([1, 2.0])}),
    t((1.0, [2, 3], {"a": 1}, c, True), (1.0, np.array([2, 3.0]), {"a": 1}, c, True)), m(c, sp.csr_matrix(np.eye(2))), t([], ()),
    d({"a": 1.0}, {"a": 1.0002}), d({"a": 1}, {"b": 1}), d({"a": "x"}, {"a": "y"}), d({"a": 0.0}, {"a": 2e-8}), d({"a": 1.0}, {"a": 1.01}, atol=1e-3), t((1,), (1, 2)), t((True,), (False,)), t((c,), (2 * c,)), m(c, 2 * c),
)], d({"a": 1.0}, {"a": 1.01}, atol=0.1), d({"a": 1.0}, {"a": 1.01}, rtol=0.1))
`

test.skipIf(!python)(
  '[SCORE198] comparisons hold within 1e-8 and 1e-5 of the second value, symbols count as names',
  () => {
    const [good, bad] = [Array(8).fill('True'), Array(9).fill('False')]
    expect(runPython(comparisons).trim()).toBe(`[${[...good, ...bad].join(', ')}] True True`)
  },
  patience,
)

test.skipIf(!python)(
  '[SCORE198] the committed sample is what its script writes, targets by way of a real HDF5 file',
  async () => {
    const done = spawnSync(python!, [new URL('make-sample.py', benchmark).pathname, folder], { encoding: 'utf8' })
    expect(done.stderr).toBe('')
    expect(readFileSync(join(folder, 'sample.jsonl'), 'utf8')).toBe(readFileSync(new URL('sample.jsonl', benchmark), 'utf8'))
    const committed = readFileSync(new URL('sample.targets.jsonl', benchmark), 'utf8').trim().split('\n')
    const made = await rowsOf(join(folder, 'targets.h5'))
    expect(made.map(({ name, root }) => ({ name, root }))).toEqual(
      committed.map((line) => StepTargets.parse(JSON.parse(line))).map(({ name, root }) => ({ name, root })),
    )
  },
  patience,
)
