import { northernCapitals } from '#shared/scorers/ifbench/word-lists.ts'
import type { Draw } from './draw.ts'
import { anyWord, phrase, plainWord, sentence, sentences } from './invented-text.ts'
import type { Makers } from './word-answers.ts'

const faulty = (draw: Draw, share = 0.06) => draw.chance(share)
const cell = (draw: Draw) => draw.pick(['Tea', '"Leaf & Co"', '"a,b"', '4.5', '"say ""hi"""', '7', '', '"Zoë"', 'x"y', '"one two"'])
const words = ['Use', 'copper', 'wire', 'to', 'mend', 'the', 'naïve', 'lamp', '東京', '😀', 'quickly.']

/** A table whose rows have `columns` cells, nearly always. */
function table(draw: Draw, header: readonly string[], count: number, delimiter: string, one: (draw: Draw) => string): string {
  const rows = draw.many(count + (faulty(draw, 0.1) ? 1 : 0), () =>
    draw.many(header.length + (faulty(draw, 0.01) ? 1 : 0), () => one(draw)),
  )
  const names = header.map((name) => (draw.chance(0.2) ? `"${name}"` : name))
  const end = draw.pick(['\n', '\n', '\n', '\n', '\r\n', '\r'])
  const lines = [names.join(faulty(draw) ? `${delimiter} ` : delimiter), ...rows.map((row) => row.join(delimiter))]
  return lines.join(end) + draw.pick(['', '', '', '\n', '\n\n'])
}

const nested = (draw: Draw) =>
  draw.many(draw.between(3, 14), () => draw.pick(['(', '[', '{', '(', '[', ')', ']', '}', plainWord(draw)])).join('')
function bracketed(draw: Draw): string {
  const open = draw.many(draw.between(3, 7), () => draw.pick(['(', '[', '{']))
  const closed = [...open].reverse().map((char) => ({ '(': ')', '[': ']', '{': '}' })[char] ?? '')
  return `${plainWord(draw)} ${open.join(' a ')} deep ${closed.slice(draw.below(3)).join('')}`
}

const question = (draw: Draw, index: number) =>
  [
    `Question ${index}${draw.pick(['', ':', '.', '|', ')'])}${draw.pick(['\n', ' '])}What is ${phrase(draw, index * 2 + (faulty(draw) ? -2 : 0))}?`,
    ...[...'ABCDE']
      .slice(0, faulty(draw) ? 4 : 5)
      .map((letter) => `${draw.chance(0.2) ? letter.toLowerCase() : letter}${draw.pick(['.', ')', '|', ') '])} ${anyWord(draw)}`),
  ].join('\n')

/** Lines in falling order from Zimbabwe on; names are invented except for the first. */
function falling(draw: Draw): string {
  const names = draw.many(draw.between(50, 54), () => `${draw.pick([...'YUTSRNMLKGEDCBA', 'É', 'Ç'])}${plainWord(draw)}`)
  const plain = (name: string) => name.normalize('NFKD').replace(/[^\0-\x7f]/g, '')
  const sorted = [...names].sort((a, b) => (plain(a) < plain(b) ? 1 : -1))
  return [...(faulty(draw) ? ['Here:'] : []), 'Zimbabwe', ...sorted]
    .map((name, index) => draw.pick([name, `- ${name}`, `${faulty(draw, 0.02) ? index : ''} ${name}`]))
    .join('\n')
}

const dateOf = (draw: Draw) => {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${draw.between(1768, 1822)}-${two(draw.between(0, faulty(draw) ? 13 : 12))}-${two(draw.between(0, faulty(draw) ? 32 : 30))}`
}

export const formAnswers: Makers = {
  'ratio:overlap': (draw) => {
    const reference_text = phrase(draw, draw.between(3, 12))
    const part = [...reference_text].slice(0, draw.between(3, 30)).join('')
    const percentage = draw.pick([100, 90, 80, 70, 60, 50, 40])
    const other = Math.round(((part.length - 2) * 100) / percentage) - (part.length - 2)
    return {
      kwargs: { reference_text, percentage },
      text: part + draw.many(other + draw.between(-1, 1), (index) => String.fromCharCode(0x2460 + index)).join(''),
    }
  },
  'format:parentheses': (draw) => ({ kwargs: {}, text: draw.chance(0.6) ? bracketed(draw) : nested(draw) }),
  'format:quotes': (draw) => ({
    kwargs: {},
    text: draw.chance(0.5)
      ? `He said "they 'heard "her ${plainWord(draw)}" sing' ${plainWord(draw)}"`
      : draw.many(draw.between(3, 12), () => draw.pick(['"', "'", plainWord(draw)])).join(''),
  }),
  'format:options': (draw) => {
    const [options, ...answers] = draw.pick([
      ['yes/no/maybe', 'yes', 'no', 'maybe'],
      ["I know or I don't know", 'I know', "I don't know", 'I'],
      ['a), b), c), d)', 'a)', 'b)', 'b', 'c), d)'],
      ['A, B, C', 'A', 'b', 'C'],
      ['red, green, blue', 'red', 'Green', 'blue,'],
    ])
    const answer = draw.pick(answers)
    return {
      kwargs: { options },
      text: draw.pick([answer, answer, `${answer}.`, answer.toUpperCase(), ` ${answer} `, `*${answer}*`, `${answer}\n`]),
    }
  },
  'format:newline': (draw) => ({
    kwargs: {},
    text: draw.many(draw.between(1, 8), () => anyWord(draw)).join(draw.pick(['\n', '\n', '\n', '\n\n', '\n- ', '\r\n', '\n \n'])),
  }),
  'format:emoji': (draw) => ({
    kwargs: {},
    text: draw
      .many(
        draw.between(1, 4),
        () =>
          `${sentence(draw, 3, draw.pick(['.', '!', '']))} ${faulty(draw) ? 'no' : draw.pick(['😀', '❤️', '🎉.', '👍🏽', '🇫🇷', '©', '☀️!', '1️⃣'])}`,
      )
      .join(' '),
  }),
  'format:line_indent': (draw) => {
    const step = draw.between(1, 3)
    const lines = draw.many(draw.between(1, 6), (index) => ' '.repeat(index * step + (faulty(draw) ? -1 : 0) + 1) + plainWord(draw))
    return {
      kwargs: {},
      text: lines
        .flatMap((line) => [...(draw.chance(0.25) ? draw.many(draw.between(1, 3), () => draw.pick(['', '', ' ', '   ', '\t'])) : []), line])
        .join('\n'),
    }
  },
  'format:quote_unquote': (draw) => ({
    kwargs: {},
    text:
      draw
        .many(draw.between(1, 3), () =>
          draw.pick([
            `He said "${plainWord(draw)}" and meant it. `,
            `“${plainWord(draw)}” `,
            `"aye"`,
            `"a" "b" `,
            `the sign '"' is it `,
            '12"5 ',
          ]),
        )
        .join('') + draw.pick(['', '.', 'end', '"', '".', '7']),
  }),
  'format:list': (draw) => {
    const sep = draw.pick(['...', 'SEPARATOR', '!?!?', '-'])
    return { kwargs: { sep }, text: draw.many(draw.between(1, 3), () => `${sep} ${phrase(draw, 2)}`).join(draw.pick(['\n', ' ', ''])) }
  },
  'format:thesis': (draw) => {
    const tag = draw.pick(['i', 'em', 'i'])
    return {
      kwargs: {},
      text: `${faulty(draw) ? plainWord(draw) : ''}<${tag}>${draw.pick([phrase(draw, 3), phrase(draw, 2), ' ', ''])}</${faulty(draw) ? 'em' : tag}>${draw.pick(['', ' ', sentences(draw, 1), '\n', '>'])}`,
    }
  },
  'format:sub-bullets': (draw) => ({
    kwargs: {},
    text: draw.many(draw.between(1, 3), () => `* ${plainWord(draw)}\n${faulty(draw, 0.2) ? '' : `  - ${phrase(draw, 2)}\n`}`).join(''),
  }),
  'format:no_bullets_bullets': (draw) => ({
    kwargs: {},
    text: [
      ...draw.many(draw.between(1, 2), () => sentences(draw, draw.between(1, 3), 4).replaceAll('\n', ' ')),
      ...(faulty(draw, 0.15) ? [''] : []),
      ...draw.many(draw.between(1, 3), () => `${draw.pick(['*', '* ', ' * ', '**'])}${phrase(draw, 2)}`),
      ...(faulty(draw, 0.1) ? [draw.pick(['', 'The end.'])] : []),
    ].join('\n'),
  }),
  'format:title_case': (draw) => ({
    kwargs: {},
    text: phrase(draw, draw.between(1, 6)).replace(/(^| )(\S)/g, (whole, space: string, first: string) =>
      draw.chance(0.97) ? space + first.toUpperCase() : whole,
    ),
  }),
  'format:output_template': (draw) => ({
    kwargs: {},
    text: ['My Answer:', 'My Conclusion:', 'Future Outlook:']
      .map((label) => `${faulty(draw, 0.1) ? label.toLowerCase() : label} ${phrase(draw, 2)}`)
      .join('\n'),
  }),
  'format:no_whitespace': (draw) => ({
    kwargs: {},
    text: phrase(draw, draw.between(1, 2)).replaceAll(' ', draw.pick(['', '-', '_', ' '])),
  }),
  'custom:multiples': (draw) => ({
    kwargs: {},
    text: ['14', '21', '28', '35', '42', '49', '56', '７']
      .slice(0, faulty(draw, 0.2) ? draw.between(5, 8) : 6)
      .join(draw.pick([',', ', ', '\n', ' and ', ''])),
  }),
  'custom:mcq_count_length': (draw) => ({
    kwargs: {},
    text: draw.many(faulty(draw) ? 3 : 4, (index) => question(draw, index + 1)).join(draw.pick(['\n', '\n\n', ' '])),
  }),
  'custom:reverse_newline': (draw) => ({ kwargs: {}, text: falling(draw) }),
  'custom:word_reverse': (draw) => ({
    kwargs: {},
    text: `${phrase(draw, draw.below(3))} ${draw.pick(['eagle bald', 'eagle, bald', 'Eagle Bald', 'bald eagle', 'eagle\nbald', "eagle' 'bald"])} ${draw.pick(['the', 'The.', ''])}`,
  }),
  'custom:character_reverse': (draw) => ({
    kwargs: {},
    text: `${plainWord(draw)} ${draw.pick(['elgae dlab', 'ELGAE DLAB', 'elgae  dlab', '.elgaE dlaB', 'elgae-dlab'])} ehT`,
  }),
  'custom:sentence_alphabet': (draw) => ({
    kwargs: {},
    text: draw
      .many(
        26 + (faulty(draw) ? 1 : 0),
        (index) =>
          `${String.fromCharCode(65 + ((index + (faulty(draw, 0.01) ? 1 : 0)) % 26))}${plainWord(draw)} ${plainWord(draw)}${draw.pick(['.', '.', '!', '?'])}`,
      )
      .join(' '),
  }),
  'custom:european_capitals_sort': (draw) => {
    const names = northernCapitals
      .map((name) => (faulty(draw, 0.01) ? name.toLowerCase() : name))
      .map((name) => draw.pick([name, name, name.replace('Reykjavik', 'Reykjavík').replace('Chisinau', 'Chișinău')]))
    return {
      kwargs: {},
      text: names.slice(0, faulty(draw) ? 26 : 27).join(draw.pick([', ', ',', ',\n', ', , '])) + draw.pick(['', '.', ',', '\n']),
    }
  },
  'custom:csv_city': (draw) => ({
    kwargs: {},
    text: table(draw, ['ID', 'Country', 'City', 'Year', 'Count'], 7, ',', draw.chance(0.6) ? plainWord : cell),
  }),
  'custom:csv_special_character': (draw) => ({
    kwargs: {},
    text: table(draw, ['ProductID', 'Category', 'Brand', 'Price', 'Stock'], 14, ',', (one) =>
      one.chance(0.1) ? one.pick(['"Leaf & Co"', '"one two"', '"Zoë!"', '"x-y"']) : plainWord(one),
    ),
  }),
  'custom:csv_quotes': (draw) => ({
    kwargs: {},
    text: table(draw, ['StudentID', 'Subject', 'Grade', 'Semester', 'Score'], 3, '\t', (one) =>
      faulty(one, 0.02) ? cell(one) : `"${plainWord(one)}"`,
    ).replace(/^.*$/m, (line) => (faulty(draw, 0.2) ? line : line.replace(/"?(\w+)"?/g, '"$1"'))),
  }),
  'custom:date_format_list': (draw) => ({
    kwargs: {},
    text: draw.many(draw.between(1, 3), () => dateOf(draw)).join(draw.pick([', ', ',', ',\n'])),
  }),
  'repeat:repeat_change': (draw) => {
    const prompt_to_repeat = draw.shuffled(words).slice(0, draw.between(2, 8)).join(' ')
    const [, ...rest] = prompt_to_repeat.split(' ')
    return {
      kwargs: { prompt_to_repeat },
      text: draw.pick([
        `Kindly ${rest.join(' ')}`,
        `Kindly  ${rest.join('\n')} `,
        prompt_to_repeat,
        `${prompt_to_repeat} `,
        `A B ${rest.join(' ')}`,
      ]),
    }
  },
  'repeat:repeat_span': (draw) => {
    const prompt_to_repeat = draw.shuffled(words).slice(0, draw.between(2, 8)).join(' ')
    const chars = [...prompt_to_repeat]
    const n_start = draw.below(chars.length - 2)
    const n_end = draw.between(n_start + 1, chars.length)
    const text = chars.slice(n_start, n_end + draw.pick([1, 1, 1, 0, 2])).join('')
    return { kwargs: { prompt_to_repeat, n_start, n_end }, text: draw.pick([text, text, ` ${text}\n`, text.toUpperCase(), `"${text}"`]) }
  },
}
