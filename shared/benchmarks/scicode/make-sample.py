"""Writes the invented sample: `python3 make-sample.py FOLDER` puts sample.jsonl and targets.h5 there, from which sample.targets.jsonl is read.

Needs numpy, scipy, sympy and h5py. The targets are computed by the reference code, and stored as the official data set stores its own.
"""
import ast
import json
import sys
from pathlib import Path

import h5py
import numpy as np
import scipy.sparse

NUMPY = "import numpy as np"


def step(description, background, code, tests, given=False):
    """One step. The header is the code up to its last line, which is the line that returns."""
    head, last = code.rstrip("\n").rsplit("\n", 1)
    cut = head.split("'''")
    header = "'''".join(cut[:2]) + "'''" if len(cut) > 2 else head
    return dict(description=description, background=background, code=code, tests=tests, given=given, header=header, last=last)


def function(name, args, does, expression, *calls):
    code = f"def {name}({args}):\n    '''{does}'''\n    y = {expression}\n    return y\n"
    tests = [(f"{name}({call})", "assert np.allclose({call}, target)") for call in calls]
    return step(f"{does} Write it as the function `{name}`.", f"Background:\ny = {expression}", code, tests)


LADDER = """class Ladder:
    '''A ladder of equal rungs.'''

    def __init__(self, rungs, height):
        self.rungs = rungs
        self.height = height

    def top(self):
        return self.rungs * self.height
"""
CLOSE = "assert np.allclose({call}, target)"
SPARSE = "from scipy.sparse import csr_matrix\nassert np.allclose(({call}).toarray(), target.toarray())"
CSC = "from scipy.sparse import csc_matrix\nfrom scicode.compare.cmp import are_csc_matrix_close\nassert are_csc_matrix_close({call}, target)"
TUPLE = "from scicode.compare.cmp import cmp_tuple_or_list\nassert cmp_tuple_or_list({call}, target)"
DICT = "from scicode.compare.cmp import are_dicts_close\nassert are_dicts_close({call}, target)"

P900 = [
    step(
        "Double a number, or each number of an array.",
        "Background:\nDoubling is adding a number to itself.",
        "def double(x):\n    '''Double x.\n    Input: x, float or array\n    Output: y, the same kind\n    '''\n    y = 2 * x\n    return y\n",
        [("double(3)", CLOSE), ("double(np.array([1.0, -2.5, 4.0]))", CLOSE), ("double(1 + 2j)", CLOSE)],
    ),
    step(
        "Quadruple a number by doubling it twice with the function of the step before.",
        "Background:\n4x = 2(2x).",
        "def quad(x):\n    '''Quadruple x.'''\n    y = double(double(x))\n    return y\n",
        [("quad(0.25)", CLOSE), ("quad(np.arange(6.0).reshape(2, 3))", CLOSE)],
    ),
    step("A ladder knows how high its top is.", "Background:\nA ladder has rungs at equal distances.", LADDER, [("Ladder(3, 0.5).top()", CLOSE)], given=True),
    step(
        "How high is the top of a ladder of four times as many rungs?",
        "Background:\nHeight grows with the number of rungs.",
        "def climb(rungs, height):\n    '''Height of a ladder of four times the rungs.'''\n    y = Ladder(quad(rungs), height).top()\n    return y\n",
        [("climb(2, 0.3)", CLOSE), ("(climb(1, 2.0), climb(5, 0.1))", TUPLE)],
    ),
]
P901 = [
    step(
        "Build the second difference of n points with spacing h as a sparse matrix of a given form: csr, csc, coo or bsr.",
        "Background:\nThe row of an inner point is (1, -2, 1)/h^2.",
        "def second_difference(n, h, form):\n    '''Second difference of n points as a sparse matrix of a form.'''\n    rows = np.diag(np.full(n, -2.0)) + np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1)\n    matrix = scipy.sparse.csr_matrix(rows / h**2)\n    return matrix.asformat(form)\n",
        [
            ("second_difference(4, 0.5, 'csr')", SPARSE),
            ("second_difference(5, 1.0, 'csc')", CSC),
            ("second_difference(3, 2.0, 'coo')", SPARSE),
            ("second_difference(4, 1.0, 'bsr')", SPARSE),
        ],
    ),
    step(
        "Gather what is known of a grid: the eigenvalues of its second difference by spacing, its corner entries, and its name.",
        "Background:\nA symmetric matrix has real eigenvalues.",
        "def describe(n, spacings):\n    '''Largest eigenvalue by spacing, both corner entries, and a name.'''\n    by_spacing = {h: np.linalg.eigvalsh(second_difference(n, h, 'csr').toarray())[-1] for h in spacings}\n    corner = second_difference(n, spacings[0], 'csr').toarray()[0, :2]\n    return by_spacing, corner, 'grid of ' + str(n)\n",
        [
            ("describe(4, [0.5, 1.0, 2.0])[0]", DICT),
            ("describe(3, [1.0])[:2]", TUPLE),
            ("describe(3, [0.25])[2]", "assert {call} == target"),
            ("{'matrix': second_difference(3, 1.0, 'csr'), 'name': describe(3, [1.0])[2]}", DICT),
            ("[describe(4, [1.0])[1], np.ones(3)]", "for got, wanted in zip({call}, target):\n    assert np.allclose(got, wanted)"),
        ],
    ),
]

SMALL = [
    ("Free fall", [("fall_time", "h, g", "Time in which a body falls from a height h at rest.", "np.sqrt(2 * h / g)", "20.0, 9.81", "np.array([1.0, 5.0]), 1.62"), ("impact_speed", "h, g", "Speed after falling from a height h, by the time it takes.", "g * fall_time(h, g)", "20.0, 9.81", "3.0, 1.62")]),
    ("Pendulum", [("small_period", "l, g", "Period of a pendulum of length l for small swings.", "2 * np.pi * np.sqrt(l / g)", "1.0, 9.81", "np.array([0.25, 4.0]), 9.81"), ("wide_period", "l, g, a", "Period for swings of amplitude a in radians, to second order.", "small_period(l, g) * (1 + a**2 / 16)", "1.0, 9.81, 0.2", "2.0, 9.81, 0.5")]),
    ("Lens", [("image_distance", "f, d", "Distance of the image that a thin lens of focal length f makes of a thing at distance d.", "1 / (1 / f - 1 / d)", "0.1, 0.5", "0.05, np.array([0.2, 1.0])"), ("magnification", "f, d", "Size of that image in terms of the thing, negative when it is upside down.", "-image_distance(f, d) / d", "0.1, 0.5", "0.05, 0.06")]),
    ("Ideal gas", [("pressure", "n, t, v", "Pressure of n moles of an ideal gas at temperature t in a volume v, the gas constant being 8.314.", "n * 8.314 * t / v", "1.0, 300.0, 0.02", "2.0, np.array([100.0, 400.0]), 0.05"), ("work", "n, t, v, w", "Work of a slow expansion at constant temperature from volume v to w, by the pressure at the beginning.", "pressure(n, t, v) * v * np.log(w / v)", "1.0, 300.0, 0.02, 0.04", "0.5, 250.0, 0.01, 0.05")]),
    ("Decay", [("decay_rate", "half_life", "Rate of decay that belongs to a half-life.", "np.log(2) / half_life", "5730.0", "np.array([1.0, 8.02])"), ("activity", "n, half_life, t", "Decays in a unit of time of n nuclei after a time t.", "n * decay_rate(half_life) * np.exp(-decay_rate(half_life) * t)", "1e6, 8.0, 16.0", "5e3, 2.0, np.array([0.0, 1.0])")]),
    ("Black body", [("radiance", "t", "Power that a black body of temperature t sends out from a square metre, the constant being 5.670374419e-8.", "5.670374419e-8 * t**4", "300.0", "np.array([1000.0, 5772.0])"), ("equilibrium", "flux, albedo", "Temperature at which a turning globe of an albedo sends out what it takes in of a flux.", "((1 - albedo) * flux / (4 * radiance(1.0))) ** 0.25", "1361.0, 0.3", "589.0, 0.25")]),
    ("Orbit", [("circular_speed", "mu, r", "Speed on a circle of radius r about a body with parameter mu.", "np.sqrt(mu / r)", "398600.0, 6778.0", "398600.0, np.array([7000.0, 42164.0])"), ("orbit_period", "mu, r", "Time once around that circle, by the speed on it.", "2 * np.pi * r / circular_speed(mu, r)", "398600.0, 6778.0", "398600.0, 42164.0")]),
    ("Capacitor", [("capacity", "a, d, k", "Capacity of two plates of area a at distance d with a filling of permittivity k, the constant being 8.854e-12.", "k * 8.854e-12 * a / d", "0.01, 0.001, 1.0", "0.02, np.array([0.001, 0.002]), 3.9"), ("stored_energy", "a, d, k, u", "Energy in it at a voltage u.", "0.5 * capacity(a, d, k) * u**2", "0.01, 0.001, 1.0, 12.0", "0.02, 0.001, 3.9, 5.0")]),
    ("Enzyme", [("turnover", "s, top, half", "Rate of an enzyme at a concentration s, with its largest rate and the concentration of half of it.", "top * s / (half + s)", "2.0, 10.0, 1.0", "np.array([0.1, 1.0, 9.0]), 5.0, 1.0"), ("inhibited", "s, top, half, i, k", "The same beside an inhibitor of concentration i and constant k that competes.", "turnover(s, top, half * (1 + i / k))", "2.0, 10.0, 1.0, 1.0, 0.5", "1.0, 4.0, 2.0, 0.0, 1.0")]),
    ("Growth", [("growth_factor", "r, t", "Factor by which a population grows at a rate r in a time t.", "np.exp(r * t)", "0.1, 10.0", "np.array([0.0, 0.5]), 2.0"), ("logistic", "p, k, r, t", "Size of a population of p at the start that can be no more than k.", "k * p * growth_factor(r, t) / (k + p * (growth_factor(r, t) - 1))", "10.0, 100.0, 0.1, 10.0", "50.0, 100.0, 0.3, np.array([0.0, 5.0])")]),
    ("Waves on water", [("deep_speed", "l, g", "Speed of a wave of length l on deep water.", "np.sqrt(g * l / (2 * np.pi))", "10.0, 9.81", "np.array([1.0, 100.0]), 9.81"), ("wave_speed", "l, g, d", "Its speed on water of a depth d.", "deep_speed(l, g) * np.sqrt(np.tanh(2 * np.pi * d / l))", "10.0, 9.81, 1.0", "10.0, 9.81, np.array([0.1, 100.0])")]),
    ("Doppler", [("lorentz", "b", "Lorentz factor at a speed b in terms of light.", "1 / np.sqrt(1 - b**2)", "0.6", "np.array([0.0, 0.1, 0.99])"), ("red_shift", "b", "Red shift of a source that goes straight away, by the factor.", "lorentz(b) * (1 + b) - 1", "0.6", "np.array([0.01, 0.5])")]),
    ("Diffusion", [("spread", "d, t", "Standard deviation of what spread with a coefficient d along a line in a time t.", "np.sqrt(2 * d * t)", "1e-9, 60.0", "0.5, np.array([1.0, 4.0])"), ("profile", "x, d, t", "Density at x of one unit that began at 0.", "np.exp(-((x / spread(d, t)) ** 2) / 2) / (spread(d, t) * np.sqrt(2 * np.pi))", "0.0, 0.5, 1.0", "np.linspace(-2, 2, 5), 0.5, 2.0")]),
    ("Rotation", [("turn", "a", "Matrix that turns the plane by an angle a.", "np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])", "0.3", "np.pi / 2"), ("turn_about", "p, c, a", "Where a point p is after a turn about a point c.", "turn(a) @ (p - c) + c", "np.array([1.0, 0.0]), np.array([0.0, 0.0]), np.pi / 2", "np.array([2.0, 1.0]), np.array([1.0, 1.0]), 0.7")]),
    ("Weighted mean", [("weights", "s", "Weights of measurements by their errors s, together 1.", "s**-2.0 / np.sum(s**-2.0)", "np.array([1.0, 2.0])", "np.array([0.1, 0.1, 0.4])"), ("weighted_mean", "x, s", "Mean of measurements x with these weights.", "np.sum(weights(s) * x)", "np.array([1.0, 4.0]), np.array([1.0, 2.0])", "np.array([3.0, 3.0, 9.0]), np.array([0.1, 0.1, 0.4])")]),
    ("Trapezoids", [("strips", "f, h", "Areas of the strips under values f at distance h, each a trapezoid.", "(f[1:] + f[:-1]) * h / 2", "np.array([0.0, 1.0, 4.0]), 1.0", "np.linspace(0, 1, 5) ** 2, 0.25"), ("area_under", "f, h", "Area under all of them.", "np.sum(strips(f, h))", "np.array([0.0, 1.0, 4.0]), 1.0", "np.sin(np.linspace(0, np.pi, 50)), np.pi / 49")]),
    ("Spin", [("spin_x", "n", "Coupling matrix of neighbours in a chain of n sites, without its ends joined.", "np.eye(n, k=1) + np.eye(n, k=-1)", "3", "5"), ("levels", "n, t", "Energies of a particle that hops along the chain with strength t, sorted.", "np.linalg.eigvalsh(-t * spin_x(n))", "3, 1.0", "6, 0.5")]),
    ("Titration", [("strong_ph", "c", "pH of a strong acid of concentration c.", "-np.log10(c)", "0.01", "np.array([1.0, 1e-4])"), ("weak_ph", "c, ka", "pH of a weak acid of constant ka, from the exact root.", "strong_ph((-ka + np.sqrt(ka**2 + 4 * ka * c)) / 2)", "0.1, 1.8e-5", "0.01, np.array([1e-3, 1e-5])")]),
    ("Sound level", [("intensity_ratio", "db", "Ratio of intensities that so many decibels stand for.", "10 ** (db / 10)", "3.0", "np.array([0.0, 10.0, 60.0])"), ("sum_levels", "levels", "Level of several sources together.", "10 * np.log10(np.sum(intensity_ratio(levels)))", "np.array([60.0, 60.0])", "np.array([50.0, 40.0, 30.0])")]),
    ("Rocket", [("exhaust_speed", "impulse", "Speed of exhaust of a specific impulse in seconds, with 9.80665.", "impulse * 9.80665", "300.0", "np.array([250.0, 450.0])"), ("speed_gain", "impulse, full, empty", "Speed that a rocket gains from full to empty mass.", "exhaust_speed(impulse) * np.log(full / empty)", "300.0, 10.0, 4.0", "450.0, 100.0, np.array([10.0, 50.0])")]),
    ("Boltzmann", [("boltzmann", "e, t", "Relative occupation of levels e at a temperature t, the constant being 1.", "np.exp(-e / t)", "np.array([0.0, 1.0]), 1.0", "np.array([0.0, 0.5, 2.0]), 0.3"), ("mean_energy", "e, t", "Mean energy over the levels.", "np.sum(e * boltzmann(e, t)) / np.sum(boltzmann(e, t))", "np.array([0.0, 1.0]), 1.0", "np.array([0.0, 0.5, 2.0]), 0.3")]),
    ("Snell", [("refracted", "a, n, m", "Angle behind a border between indices n and m of a ray that comes at an angle a.", "np.arcsin(n / m * np.sin(a))", "0.5, 1.0, 1.5", "np.array([0.1, 0.3]), 1.33, 1.0"), ("shift", "a, n, m, d", "How far a plate of thickness d moves the ray aside.", "d * np.sin(a - refracted(a, n, m)) / np.cos(refracted(a, n, m))", "0.5, 1.0, 1.5, 0.01", "0.8, 1.0, 1.33, 0.02")]),
    ("Reactance", [("impedance", "r, l, c, w", "Impedance of a resistor, a coil and a capacitor in a row at a frequency w.", "r + 1j * (w * l - 1 / (w * c))", "10.0, 0.1, 1e-4, 300.0", "5.0, 0.2, 1e-5, np.array([100.0, 1000.0])"), ("gain", "r, l, c, w", "Share of the voltage that lies at the resistor.", "np.abs(r / impedance(r, l, c, w))", "10.0, 0.1, 1e-4, 300.0", "5.0, 0.2, 1e-5, 700.0")]),
    ("Hardy and Weinberg", [("genotypes", "p", "Shares of both kinds of genes together for an allele of share p: both, one, none.", "np.array([p**2, 2 * p * (1 - p), (1 - p) ** 2])", "0.3", "0.5"), ("heterozygosity", "p", "How much of it is mixed, of the most there can be.", "genotypes(p)[1] / 0.5", "0.3", "0.9")]),
    ("Autocorrelation", [("centred", "x", "A series without its mean.", "x - np.mean(x)", "np.array([1.0, 2.0, 6.0])", "np.arange(5.0)"), ("autocorrelation", "x, k", "Its correlation with itself k places on.", "np.sum(centred(x)[k:] * centred(x)[: len(x) - k]) / np.sum(centred(x) ** 2)", "np.array([1.0, 2.0, 6.0, 1.0]), 1", "np.sin(np.arange(20.0)), 3")]),
    ("Beam", [("second_moment", "b, h", "Second moment of area of a beam of width b and height h.", "b * h**3 / 12", "0.1, 0.2", "np.array([0.05, 0.1]), 0.1"), ("deflection", "f, l, e, b, h", "How far a force f bends its free end, for a length l and a modulus e.", "f * l**3 / (3 * e * second_moment(b, h))", "1000.0, 2.0, 2e11, 0.1, 0.2", "50.0, 1.0, 7e10, 0.05, 0.01")]),
    ("Kepler", [("mean_anomaly", "t, period", "Angle of uniform motion a time t after the nearest point.", "2 * np.pi * np.mod(t / period, 1)", "0.3, 1.0", "np.array([0.0, 5.5]), 2.0"), ("true_anomaly", "t, period, e", "The true angle for a small eccentricity e, to first order.", "mean_anomaly(t, period) + 2 * e * np.sin(mean_anomaly(t, period))", "0.3, 1.0, 0.05", "5.5, 2.0, 0.0167")]),
    ("Markov chain", [("jump_matrix", "a, b", "Matrix of two states that are left with chances a and b.", "np.array([[1 - a, a], [b, 1 - b]])", "0.1, 0.3", "0.5, 0.5"), ("after_steps", "a, b, n", "Chances of both states n steps after the first state.", "np.linalg.matrix_power(jump_matrix(a, b), n)[0]", "0.1, 0.3, 4", "0.2, 0.6, 10")]),
    ("Photon", [("photon_energy", "l", "Energy in electron volts of light of a wavelength l in nanometres, with 1239.84.", "1239.84 / l", "500.0", "np.array([121.6, 656.3])"), ("kinetic", "l, work", "Energy of an electron that it frees from a metal, never below 0.", "np.maximum(photon_energy(l) - work, 0)", "250.0, 2.3", "np.array([200.0, 900.0]), 4.5")]),
    ("Random walk", [("path", "steps", "Places after each of some steps from 0.", "np.concatenate([[0], np.cumsum(steps)])", "np.array([1, -1, 1, 1])", "np.array([0.5, 0.5, -2.0])"), ("reach", "steps", "How wide the range of these places is.", "np.max(path(steps)) - np.min(path(steps))", "np.array([1, -1, 1, 1])", "np.array([0.5, 0.5, -2.0])")]),
]


def problems():
    yield "900", "Doubling and ladders", NUMPY, P900
    yield "901", "A grid in one dimension", NUMPY + "\nimport scipy.sparse", P901
    for number, (name, functions) in enumerate(SMALL, 902):
        yield str(number), name, NUMPY, [function(*one) for one in functions]


def official_extract(code):
    """What the official code keeps of a given step: the first definition of the first name behind `def`."""
    found = next(node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.FunctionDef))
    return ast.unparse(found)


def store(group, key, value):
    """As the official data set is laid out (reference 2.5)."""
    if isinstance(value, dict):
        inner = group.create_group(key)
        for name, one in value.items():
            store(inner, str(name), one)
    elif scipy.sparse.issparse(value):
        inner = group.create_group(key).create_group("sparse_matrix")
        parts = {"coo": ["row", "col"], "bsr": ["indices", "indptr", "blocksize"]}.get(value.format, ["indices", "indptr"])
        for name in ["data", "shape", *parts]:
            inner.create_dataset(name, data=getattr(value, name))
    elif isinstance(value, list):
        inner = group.create_group(key).create_group("list")
        for index, one in enumerate(value):
            store(inner, f"var{index + 1}", one)
    else:
        group.create_dataset(key, data=value)


def main(folder):
    with h5py.File(folder / "targets.h5", "w") as targets, open(folder / "sample.jsonl", "w") as sample:
        for number, name, imports, steps in problems():
            names = {}
            exec(imports, names)
            rows = []
            for index, one in enumerate(steps, 1):
                exec(one["code"], names)
                key = f"{number}.{index}"
                for place, (call, _) in enumerate(one["tests"], 1):
                    value = eval(call, names)
                    test = targets.create_group(f"{key}/test{place}")
                    for at, part in enumerate(value if isinstance(value, tuple) else (value,), 1):
                        store(test, f"var{at}", part)
                row = {
                    "step_number": key,
                    "step_description_prompt": one["description"],
                    "step_background": one["background"],
                    "ground_truth_code": one["code"],
                    "function_header": one["header"],
                    "test_cases": [check.replace("{call}", call) for call, check in one["tests"]],
                    "return_line": one["last"],
                }
                if one["given"]:
                    row["given_code"] = {"verbatim": one["code"], "official_extract": official_extract(one["code"])}
                rows.append(row)
            problem = {
                "problem_id": number,
                "problem_name": name,
                "problem_description_main": f"{name}: {len(rows)} functions, each of which uses those before it.",
                "problem_background_main": "",
                "problem_io": "",
                "required_dependencies": imports,
                "sub_steps": rows,
                "general_tests": [],
            }
            sample.write(json.dumps(problem, ensure_ascii=False) + "\n")


main(Path(sys.argv[1]))
