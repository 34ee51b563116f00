/**
 * The package `scicode` that test cases import, written anew from the layout of the targets and the meaning of the comparisons (reference 2.5): targets
 * come from the file that `targetsFile` writes instead of from HDF5, so that programs are given those of their own step only.
 */
export const pythonPackage: Readonly<Record<string, string>> = {
  'scicode/__init__.py': '',
  'scicode/parse/__init__.py': '',
  'scicode/compare/__init__.py': '',
  'scicode/parse/parse.py': `import json

import numpy as np
import scipy.sparse


def process_hdf5_to_tuple(step_id, test_num, path):
    """The targets of a step's tests, in order."""
    with open(path, "rb") as file:
        step = json.loads(file.readline())
        data = file.read()
    if step["name"] != step_id:
        raise KeyError(step_id)
    tests = dict(step["root"]["members"])
    return [_test(tests["test%d" % (number + 1)], data) for number in range(test_num)]


def _test(node, data):
    if node["type"] != "group":
        raise FileNotFoundError("a test's targets are a group")
    values = [_variable(member, data) for _, member in node["members"]]
    return values[0] if len(values) == 1 else tuple(values)


def _variable(node, data):
    return _group(dict(node["members"]), data) if node["type"] == "group" else _text(_raw(node, data))


def _group(members, data):
    first = next(iter(members), None)
    if first is None:
        return None
    if first == "list":
        return [_raw(member, data) for _, member in _members(members[first])]
    if first == "sparse_matrix":
        return _sparse(members[first], data)
    return dict(_entry(name, member, data) for name, member in members.items())


def _entry(name, node, data):
    if node["type"] == "group":
        return name, _sparse(dict(node["members"])["sparse_matrix"], data)
    value = _raw(node, data)
    if isinstance(value, bytes):
        return name, _text(value)
    try:
        return float(name), value
    except ValueError:
        return name, value


def _sparse(node, data):
    parts = {name: _raw(member, data) for name, member in _members(node)}
    shape = tuple(parts["shape"])
    if "row" in parts and "col" in parts:
        return scipy.sparse.coo_matrix((parts["data"], (parts["row"], parts["col"])), shape=shape)
    compressed = (parts["data"], parts["indices"], parts["indptr"])
    if "blocksize" in parts:
        return scipy.sparse.bsr_matrix(compressed, shape=shape, blocksize=tuple(parts["blocksize"]))
    return scipy.sparse.csr_matrix(compressed, shape=shape)


def _members(node):
    if node["type"] != "group":
        raise TypeError("a group is expected")
    return node["members"]


def _text(value):
    return value.decode("utf-8") if isinstance(value, bytes) else value


def _raw(node, data):
    """A data set's value as h5py gives it: texts are bytes, what has no dimension is one value."""
    if node["type"] == "group":
        raise TypeError("a group has no value")
    shape = tuple(node["shape"])
    if node["type"] == "texts":
        texts = np.empty(len(node["texts"]), dtype=object)
        texts[:] = [text.encode("utf-8") for text in node["texts"]]
        return texts.reshape(shape)[()]
    return np.ndarray(shape, np.dtype(node["dtype"]), data, node["at"]).copy()[()]
`,
  'scicode/compare/cmp.py': `import numpy as np
import scipy.sparse
import sympy

_compressed = (scipy.sparse.csr_matrix, scipy.sparse.csc_matrix)
_matrices = _compressed + (scipy.sparse.bsr_matrix, scipy.sparse.coo_matrix)


def are_dicts_close(first, second, atol=1e-8, rtol=1e-5):
    """Whether two dictionaries have the same keys and close values; symbols count as their names."""
    first, second = _named(first), _named(second)
    return first.keys() == second.keys() and all(_entries_close(first[key], second[key], atol, rtol) for key in first)


def _named(values):
    named = {}
    for key, value in values.items():
        if isinstance(key, sympy.Symbol):
            named[str(key)] = value
        else:
            named[key] = str(value) if isinstance(value, sympy.Symbol) else value
    return named


def _entries_close(one, other, atol, rtol):
    if isinstance(one, (sympy.Symbol, str)):
        return one == other
    if isinstance(one, _matrices):
        return np.allclose(one.toarray(), other.toarray(), atol=atol, rtol=rtol)
    try:
        return np.allclose(one, other, atol=atol, rtol=rtol)
    except ValueError:
        return one == other


def are_csc_matrix_close(one, other):
    """Whether two sparse matrices are close, entry by entry."""
    return np.allclose(one.toarray(), other.toarray())


def cmp_tuple_or_list(first, second):
    """Whether two sequences are as long and their entries close, each in the way of its kind."""
    return len(first) == len(second) and all(_close(one, other) for one, other in zip(first, second))


def _close(one, other):
    if isinstance(one, dict):
        return are_dicts_close(one, other)
    if isinstance(one, _compressed):
        return are_csc_matrix_close(one, other)
    if isinstance(one, bool):
        return one == other
    try:
        return np.allclose(one, other)
    except ValueError as error:
        print(error)
        return one == other
`,
}
