import fc from 'fast-check'
import { micromark } from 'micromark'
import { expect, test } from 'vitest'
import { markdownSource, signs } from './markdown-source.ts'
import { splitMaths } from './maths-segments.ts'

const kinds = (text: string) => splitMaths(text, true).map(({ kind, from, to }) => `${kind}:${text.slice(from, to)}`)
const texOf = (text: string) => markdownSource(text).maths.map((one) => one.tex)
const html = (text: string) => micromark(markdownSource(text).markdown)

test('[UI62] maths is found in every way that models and data sets write it', () => {
  expect(texOf('so $x^2\\,dx$ and \\(a_1\\), then\n\\[ \\int_0^1 f \\]\n$$y = 2$$')).toEqual(['x^2\\,dx', 'a_1', ' \\int_0^1 f ', 'y = 2'])
  expect(texOf('\\begin{align*} a &= b \\\\ c &= d \\end{align*}')).toEqual(['\\begin{align*} a &= b \\\\ c &= d \\end{align*}'])
  expect(texOf('The answer is \\boxed{\\frac{1}{2}}.')).toEqual(['\\boxed{\\frac{1}{2}}'])
  expect(texOf('$n$, $f(x)$ and $3 \\text{ apples}$')).toEqual(['n', 'f(x)', '3 \\text{ apples}'])
})

test('[UI62] money, code and broken delimiters are no maths', () => {
  expect(texOf('from $5 to $10, or $20 in cash and 30$ later')).toEqual([])
  expect(texOf('`$x$` and\n```sh\necho $HOME $PATH_$x\n```\n')).toEqual([])
  expect(texOf('an open \\( and a lone $ and $$ here \\boxed{never')).toEqual([])
  expect(kinds('a `b` $c$')).toEqual(['text:a ', 'code:`b`', 'text: ', 'maths:$c$'])
})

test('[UI62] no character of maths is lost to Markdown, inside its delimiters and outside', () => {
  expect(html('bare x^2\\,dx and \\; too')).toBe('<p>bare x^2\\,dx and \\; too</p>')
  expect(html('$a_1 * b_2 * c\\,d_3$ *word*')).toBe(`<p>${signs.open}0${signs.close} <em>word</em></p>`)
  expect(html('\\[\n- x\n+ y\n\\]')).toBe(`<p>${signs.open}0${signs.close}</p>`)
  expect(html('1 \\* 2 \\# \\_')).toBe('<p>1 * 2 # _</p>')
})

test('[UI62] every text is cut without a gap, whatever it holds', () => {
  const piece = fc.constantFrom(
    '$',
    '$$',
    '\\(',
    '\\)',
    '\\[',
    '\\]',
    '\\boxed{',
    '}',
    '`',
    '```\n',
    '\n',
    '\\',
    'x^2',
    ' ',
    'word',
    '\\begin{a}',
    '\\end{a}',
    '~~~',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, markdown) => {
      const text = pieces.join('')
      const segments = splitMaths(text, markdown)
      expect(segments.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text)
    }),
  )
})

test('[UI63] the mark of the extracted answer goes through Markdown, and takes a formula as a whole', () => {
  const marked = (text: string, hit: string) => {
    const from = text.lastIndexOf(hit)
    return micromark(markdownSource(text, { from, to: from + hit.length }).markdown)
  }
  const [from, to, open, close] = [signs.markFrom, signs.markTo, signs.open, signs.close]
  expect(marked('The answer is (B).', 'B')).toBe(`<p>The answer is (${from}B${to}).</p>`)
  expect(marked('so **B** it is', 'B')).toBe(`<p>so <strong>${from}B${to}</strong> it is</p>`)
  expect(marked('hence \\boxed{42}.', '42')).toBe(`<p>hence ${from}${open}0${close}${to}.</p>`)
  expect(marked('`x = 1`', '1')).toBe(`<p><code>x = ${from}1${to}</code></p>`)
  expect(marked('B', 'B')).toBe(`<p>${from}B${to}</p>`)
})

test('[UI63] a text that holds the signs itself cannot play a formula or a mark', () => {
  const { markdown, maths } = markdownSource(`a ${signs.open}0${signs.close} ${signs.markFrom}b${signs.markTo} $c$`)
  expect(maths).toHaveLength(1)
  expect(markdown).toBe(`a \uFFFD0\uFFFD \uFFFDb\uFFFD ${signs.open}0${signs.close}`)
})
