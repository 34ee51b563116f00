import type { TrialPages } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import { type ExportRun, encode } from './format.ts'
import { proveReport } from './prove-report.ts'
import type { Fact, Report } from './run-report.ts'

/** The report for people as Markdown. */
export async function* writeMarkdown(run: ExportRun, pages: TrialPages): AsyncGenerator<Bytes> {
  yield encode(markdownOf(await proveReport(run, pages)))
}

/** A report as Markdown (CommonMark with tables). Words of others stay words: nothing in them is read as markup. */
export function markdownOf(report: Report): string {
  const { headline } = report
  const paragraphs = [
    `# ${plain(report.title)}`,
    plain(report.subtitle),
    ...report.notes.map((note) => `> ${plain(note)}`),
    `## ${plain(headline.title)}`,
    [`**${plain(headline.score)}**`, plain(headline.limits), plain(headline.meaning)].filter(Boolean).join('  \n'),
    facts(report.facts),
    tableOf(
      report.columns,
      report.rows.map(({ name, cells }) => [name, ...cells]),
    ),
    report.rows
      .flatMap(({ name, details, warning }) => [`* **${plain(name)}**: ${plain(details)}`, ...(warning ? [`  ${plain(warning)}`] : [])])
      .join('\n'),
    ...report.legend.map(plain),
    '## Usage and cost',
    facts(report.spent),
    '## Proof',
    facts(report.proof),
    '## How to verify',
    report.verify.map((step, index) => `${index + 1}. ${plain(step)}`).join('\n'),
  ]
  return `${paragraphs.filter(Boolean).join('\n\n')}\n`
}

const facts = (list: readonly Fact[]): string => tableOf(['', ''], list)

function tableOf(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(plain).join(' | ')} |`
  return [line(columns), `|${columns.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')
}

/** A text on one line in which no character is markup. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]<>#|~!$&]/g, '\\$&')
    .replace(/^([-+=]|\d+[.)])(?=\s|$)/, '\\$1')
}
