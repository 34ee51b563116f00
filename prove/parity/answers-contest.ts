import { type PythonRandom, pythonRandom } from '#shared/random/python-random.ts'

export type ContestAnswer = { text: string; gold: string }

/** Ways to write a number, most of them right: `n` is the number, `k` another one. */
const forms: readonly ((n: number, k: number) => string)[] = [
  (n) => `${n}`,
  (n) => String(n).padStart(3, '0'),
  (n) => ` ${n}\n`,
  (n) => `+${n}`,
  (n) => `${n}.`,
  (n) => `${n}.0`,
  (n) => `${n}.5`,
  (n) => `-${n}`,
  (n) => `-(-${n})`,
  (n) => `{${n}}`,
  (n) => `((${n}))`,
  (n) => `[${n}]`,
  (n) => `\\{${n}\\}`,
  (n) => `|${n}|`,
  (n) => `\\left(${n}\\right)`,
  (n) => `\\lfloor ${n}.7 \\rfloor`,
  (n) => `\\lceil ${n} \\rceil`,
  (n, k) => `\\frac{${n * (k + 1)}}{${k + 1}}`,
  (n) => `\\frac{${n * 2}}2`,
  (n) => `\\dfrac{${n * 7}}{7}`,
  (n) => `\\frac${n % 10}${(n % 9) + 1}`,
  (n, k) => `${n * (k + 1)}/${k + 1}`,
  (n, k) => `${n + k} - ${k}`,
  (n, k) => `${n - (k % (n + 1))} + ${k % (n + 1)}`,
  (n) => `${n}^1`,
  (n) => `2^{6}+${n - 64}`,
  (n) => `2^6+${n}`,
  (n) => `\\sqrt{${n * n}}`,
  (n) => `\\sqrt ${n * n}`,
  (n) => `\\sqrt[3]{${n ** 3}}`,
  (n) => `\\sqrt{2}\\cdot ${n}\\sqrt{2} / 2`,
  (n) => `\\binom{${(n % 12) + 2}}{2}`,
  (n) => `\\dbinom{${(n % 12) + 2}}{${n % 4}}`,
  (n) => `${n % 7}!`,
  (n, k) => `${n} \\cdot ${k % 9}`,
  (n) => `\\frac{1}{2}\\cdot ${2 * n}`,
  (n, k) => `${k % 9} \\times ${n}`,
  (n, k) => `${n}(${k % 5})`,
  (n, k) => `(${n})(${k % 5})`,
  (n, k) => `${n} x ${k % 5}`,
  (n, k) => `${n}·${k % 5}`,
  (n, k) => `${n} ÷ ${(k % 5) + 1}`,
  (n) => `n = ${n}`,
  (n, k) => `m+n = ${k} + ${n - k} = ${n}`,
  (n) => `${n} = x`,
  (n) => `${n} \\approx ${n}.02`,
  (n) => `\\approx ${n}`,
  (n) => `\\text{Answer: }${n}`,
  (n) => `\\text{(A)}\\ ${n}`,
  (n) => `${n}\\text{ cm}^2`,
  (n) => `${n}\\ \\text{units}`,
  (n) => `\\mathrm{${n}}`,
  (n) => `${n}\\,\\mathrm{cm}`,
  (n) => `\\mathbf{${n}}`,
  (n) => `\\textbf{${n}}`,
  (n) => `${n}^\\circ`,
  (n) => `${n}^{\\circ}`,
  (n) => `${n}\\degree`,
  (n) => `${n}\u00b0`,
  (n) => `\\$${n}`,
  (n) => `${n}\\%`,
  (n) => `${n}%`,
  (n, k) => `${n} \\pmod{${k}}`,
  (n, k) => `${n} (mod ${k})`,
  (n, k) => `${n} \\bmod ${k}`,
  (n, k) => `${n * 3 + k} % ${n + k + 1}`,
  (n) => `${n}_{10}`,
  (n) => `${n}_10`,
  (n, k) => `${n}, ${k}`,
  (n, k) => `${n} or ${k}`,
  (n, k) => `${n} and ${k}`,
  (n, k) => `${n};${k}`,
  (n, k) => `(${n}, ${k})`,
  (n) => `x, ${n}`,
  (n) => `${n},`,
  (n) => `1,${String(n).padStart(3, '0')}`,
  (n) => `1{,}${String(n).padStart(3, '0')}`,
  (n) => `1 ${String(n).padStart(3, '0')}`,
  (n) => `1\\,${String(n).padStart(3, '0')}`,
  (n) => `\\begin{aligned}x&=${n}\\end{aligned}`,
  (n) => `\\begin{align*} ${n} \\\\ \\end{align*}`,
  (n) => `\\boxed{${n}}`,
  (n) => `\\fbox{\\boxed{${n}}}`,
  (n) => `\\displaystyle ${n}`,
  (n) => `\\log_2 ${2 ** (n % 10)}`,
  (n) => `\\log_{2}(${2 ** (n % 10)})`,
  (n) => `\\ln e^{${n % 9}}`,
  (n) => `${n}\\sin^2 0 + ${n}\\cos(0)`,
  (n) => `\\cos 0 \\cdot ${n}`,
  (n) => `${n}e^0`,
  (n) => `${n}\\pi/\\pi`,
  (n) => `${n}\\pi`,
  (n) => `\u2212${n}`,
  (n) => `${n}\u202f`,
  (n) => [...String(n)].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join(''),
  (n) => [...String(n)].map((digit) => String.fromCodePoint(0x660 + Number(digit))).join(''),
  (n) => `${n}\u0301`,
  (n) => `${n}e0`,
  (n) => `${n}_0`,
  (n) => `0${n}+0`,
  (n) => `"${n}"`,
  (n) => `x + ${n}`,
  (n) => `${n}x`,
  () => `\\infty`,
  () => `\\text{none}`,
  () => `no solution`,
  () => `???`,
  () => ``,
  () => `None`,
]

/** Things of Python and SymPy between which every operator is tried: most of these formulas raise there, and are then read as LaTeX. */
const operands = [
  ...[
    'x',
    'y',
    'xy',
    'x2',
    'pi',
    'E',
    'I',
    'i',
    'sin',
    'S',
    'N',
    'zoo',
    'True',
    'None',
    '2.5',
    '0',
    '7/2',
    'x<3',
    '1<2',
    '~x',
    '-x',
    '2^{1/2}',
  ],
  ...[
    'x!',
    '5!',
    '{1}',
    '{x}',
    '"a"',
    'f(x)',
    'foo(x)',
    'sqrt(4)',
    'gcd(6, 4)',
    'max(3, 8)',
    'x if 1 else 2',
    'not x',
    '(1, 2)',
    'x.y',
    '3.',
  ],
] // prettier-ignore
const signs = '+ - * / // % ^ ** @ & | << >> < > in is and or not : ; ! ~ .'.split(' ')

/** A formula of up to three operands with one of them the number. */
function pythonFormula(random: PythonRandom, n: number): string {
  const spaced = random.choice(['', ' '])
  const operand = () => {
    const each = random.below(2) === 0 ? String(n) : random.choice(operands)
    return random.below(4) === 0 ? `(${each})` : each
  }
  let text = operand()
  for (let more = random.randint(1, 2); more > 0; more--) {
    const sign = random.choice(signs)
    text += /^[a-z]/.test(sign) ? ` ${sign} ${operand()}` : `${spaced}${sign}${spaced}${operand()}`
  }
  const before = random.below(8)
  return before === 0 ? `-${text}` : before === 1 ? `-(${text})` : before === 2 ? `{${text}}` : text
}

const pieces = [
  ...'0123456789+-*/^_=()[]{}|!.,:;\\$%&@#~?\'" \n',
  ...[
    '\\frac',
    '\\sqrt',
    '\\cdot',
    '\\text{',
    '\\,',
    '\\ ',
    '{,}',
    '\\left',
    '\\right',
    'x',
    'pi',
    'e',
    'i',
    'mod',
    'and',
    'or',
    'not ',
    '<<',
    '//',
    'sin',
    '\\n',
    '\\approx',
    '\u00b0',
    '\u221a',
    '\u00d7',
    '\u03c0',
    '\u00b2',
    '\u2013',
  ],
] // prettier-ignore

/** A formula with up to three pieces put in, taken out or exchanged. */
function mutated(random: PythonRandom, text: string): string {
  let result = [...text]
  for (let times = random.randint(0, 3); times > 0; times--) {
    const at = random.below(result.length + 1)
    result = result.toSpliced(at, random.randint(0, 1), ...(random.below(3) === 0 ? [] : [random.choice(pieces)]))
  }
  return result.join('')
}

const frames: readonly ((box: string, n: number, k: number) => string)[] = [
  (box) => `The answer is ${box}.`,
  (box, n) => `It is ${n}. ${box}`,
  (box, _, k) => `${box} Checking all ${k} cases.`,
  (box, n, k) => `First ${k}, then \\boxed{${k}}. Correction: ${box} (that is ${n})`,
  (box, n) => `${n}\n\n${box.replace('\\boxed', 'boxed')}`,
  (box) => box.replace('\\boxed', '\\fbox'),
  (_box, n, k) => `Therefore the answer is ${n} of ${k} cases`,
  (_box, n) => `a${n}b ${n}_ ${n}.`,
  (box) => box.slice(0, -1),
]

/** Answers to contest problems with their gold answers, the same for the same seed: every form in turn, every fourth a formula of Python, every second one mutated. */
export function contestAnswers(seed: number, count: number): ContestAnswer[] {
  const random = pythonRandom(seed)
  return Array.from({ length: count }, (_, index) => {
    const n = random.choice([random.randint(1, 999), random.randint(1, 99), random.randint(1, 12)])
    const k = random.randint(0, 60)
    const form = index % 4 === 1 ? pythonFormula(random, n) : forms[index % forms.length]!(n, k)
    const content = index % 2 === 0 ? form : mutated(random, form)
    const frame = random.below(3) === 0 ? random.choice(frames) : frames[0]!
    return { text: frame(`\\boxed{${content}}`, n, k), gold: String(n) }
  })
}
