import type { Outcome } from '../../contract/failure.ts'
import { requireTool, sandboxLost } from '../../solvers/in-sandbox.ts'
import type { Sandbox } from '../../solvers/sandbox.ts'
import { plotSettings } from './test-step.ts'

const packages =
  'numpy before 2, scipy before 1.14, sympy, matplotlib and h5py for Python (Debian 12: python3-numpy python3-scipy python3-sympy python3-matplotlib python3-h5py)'

/** Fails where a package is missing or too new: the data set uses names that later releases took away (reference 2.5). */
const check = `import os, sys
os.environ.update(${JSON.stringify(plotSettings)})
import h5py, matplotlib, numpy, scipy.sparse, sympy
from scipy.integrate import simps
numpy.trapz, numpy.float_
print("Python", sys.version.split()[0], *("%s %s" % (m.__name__, m.__version__) for m in (numpy, scipy, sympy, h5py, matplotlib)))
`

/** A machine may have a Python of its own before that of the distribution, to which the packages belong. */
const candidates = ['python3', '/usr/bin/python3']

/**
 * The Python of a sandbox that has what programs of the data set and this problem import, and the versions of it all. A sandbox without one is a failure
 * that names the packages: nothing is scored for it.
 */
export async function findPython(box: Sandbox, dependencies: string): Promise<Outcome<{ python: string; versions: string }>> {
  const written = await box.write('check.py', new TextEncoder().encode(`${check}${dependencies}\n`))
  if (written !== 'written') return sandboxLost(`A file was not written into the sandbox: ${written}.`)
  let found: Outcome<string> = sandboxLost('No Python was tried.')
  for (const python of candidates) {
    found = await requireTool(box, [python, '-B', 'check.py'], packages)
    if (found.ok) return { ok: true, value: { python, versions: found.value } }
  }
  return found
}
