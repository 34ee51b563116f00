import fc from 'fast-check'

const esc = '\u001b'
const small = fc.integer({ min: 0, max: 9 })
const place = fc.integer({ min: 0, max: 45 })
const word = fc.stringMatching(/^[ -~]{1,30}$/)
const wide = fc.stringMatching(/^[a-z日本語한글😀é]{1,12}$/u)
const pick = (...all: string[]): fc.Arbitrary<string> => fc.constantFrom(...all)
const command = (params: fc.Arbitrary<string>, finals: string): fc.Arbitrary<string> =>
  fc.tuple(params, pick(...finals)).map(([param, final]) => `${esc}[${param}${final}`)
const number = fc.oneof(small.map(String), fc.constant(''), place.map(String))
const two = fc.tuple(number, number).map((both) => both.join(';'))
const style = fc.oneof(
  fc
    .array(pick('0', '1', '2', '3', '4', '7', '9', '22', '24', '27', '31', '42', '93', '104', '39', '49'), { maxLength: 4 })
    .map((all) => all.join(';')),
  fc.integer({ min: 0, max: 255 }).map((colour) => `38;5;${colour}`),
  fc.tuple(pick('38', '48'), small, small, small).map(([code, ...rgb]) => `${code};2;${rgb.join(';')}`),
  fc.tuple(small, small, small).map((rgb) => `38:2::${rgb.join(':')}`),
)

/** What programs at a terminal write: text and nearly every command that a screen knows, weighted as a screen of 40 by 12 needs it. */
export const terminalOutput: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: word },
      { weight: 3, arbitrary: wide },
      { weight: 4, arbitrary: pick('\r\n', '\n', '\r', '\b', '\t', '\u000b') },
      { weight: 4, arbitrary: command(two, 'Hf') },
      { weight: 4, arbitrary: command(number, 'ABCDEFG`d') },
      { weight: 3, arbitrary: command(pick('', '0', '1', '2'), 'JK') },
      { weight: 4, arbitrary: command(number, '@LMPXST') },
      { weight: 2, arbitrary: command(number, 'Zb') },
      { weight: 3, arbitrary: command(two, 'r') },
      { weight: 4, arbitrary: command(style, 'm') },
      { weight: 2, arbitrary: pick(...[...'78DEHM'].map((final) => esc + final), `${esc}[s`, `${esc}[u`, `${esc}#8`, `${esc}c`) },
      {
        weight: 3,
        arbitrary: pick('?6', '?7', '?1049', '?47', '4', '?25').chain((mode) => pick('h', 'l').map((final) => `${esc}[${mode}${final}`)),
      },
      {
        weight: 2,
        arbitrary: pick(
          '\u000e',
          '\u000f',
          `${esc}(0`,
          `${esc})0`,
          `${esc})B`,
          '\u0301',
          'lqqk x',
          '\u0007',
          `${esc}[3J`,
          `${esc}Pq1${esc}\\`,
          `${esc}[?1047h`,
          `${esc}[?1047l`,
        ),
      },
      {
        weight: 1,
        arbitrary: pick(
          `${esc}[g`,
          `${esc}[3g`,
          `${esc}]0;title\u0007`,
          `${esc}]2;title${esc}\\`,
          `${esc}[>4;1m`,
          `${esc}[?2004h`,
          `${esc}(B`,
        ),
      },
    ),
    { minLength: 5, maxLength: 60 },
  )
  .map((parts) => parts.join(''))
