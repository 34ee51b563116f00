import { PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import { printable, wrap } from './printable.ts'
import type { Fact, Report, ReportRow } from './run-report.ts'

// A4 in points; all that follows is in points as well.
const sheet = { width: 595.28, height: 841.89 }
const margin = 48
const bottom = 64
const width = sheet.width - 2 * margin
const ink = rgb(0.1, 0.1, 0.12)
const grey = rgb(0.42, 0.42, 0.45)
const line = rgb(0.82, 0.82, 0.84)
const shade = rgb(1, 0.95, 0.9)
const factName = 112
const spelledNote =
  'Characters that the fonts of this page lack are written by their code points in braces. The title of this file and the JSON export have them as they are.'
/** Where the columns of the table end; the first is on the left, all others end there. */
const columnEnds = [155, 205, 290, 372, 442, width]

type Fonts = { plain: PDFFont; bold: PDFFont; code: PDFFont; characters: ReadonlySet<number> }
type Style = { font?: 'plain' | 'bold' | 'code'; size?: number; colour?: typeof ink; left?: number; wide?: number; leading?: number }
type Sheet = ReturnType<typeof openSheet>

/** Draws a report on A4 as PDF. The same report gives the same bytes. */
export async function drawReport(report: Report): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create({ updateMetadata: false })
  const [plain, bold, code] = await Promise.all(
    [StandardFonts.Helvetica, StandardFonts.HelveticaBold, StandardFonts.Courier].map((name) => document.embedFont(name)),
  )
  const fonts: Fonts = { plain: plain!, bold: bold!, code: code!, characters: new Set(plain!.getCharacterSet()) }
  describe(document, report)
  const page = openSheet(document, fonts)
  drawHead(page, report)
  drawTable(page, report)
  drawFacts(page, 'Usage and cost', report.spent, 'plain')
  drawFacts(page, 'Proof', report.proof, 'code')
  page.room(60)
  page.heading('How to verify')
  for (const [index, step] of report.verify.entries()) page.text(`${index + 1}. ${step}`, { size: 8.5, leading: 12 })
  if (page.spelled()) page.text(spelledNote, { size: 8, colour: grey })
  drawFeet(document, fonts, report)
  return new Uint8Array(await document.save({ objectsPerTick: Number.POSITIVE_INFINITY }))
}

/** Titles of a document are Unicode, whatever its fonts have. */
function describe(document: PDFDocument, { title, subtitle, created_at, ended_at }: Report): void {
  document.setTitle(`${title}: ${subtitle}`, { showInWindowTitleBar: true })
  document.setCreator('Chutes Bench Runner')
  document.setProducer('Chutes Bench Runner')
  document.setLanguage('en')
  document.setCreationDate(new Date(created_at))
  document.setModificationDate(new Date(ended_at))
}

/** Pages that are filled from the top; a text that does not fit goes on on the next page. */
function openSheet(document: PDFDocument, fonts: Fonts) {
  let page: PDFPage = document.addPage([sheet.width, sheet.height])
  let y = sheet.height - margin
  let spelled = false
  const shown = (text: string): string => {
    const drawn = printable(text, fonts.characters)
    spelled ||= drawn.includes('\\u{')
    return drawn
  }
  const room = (height: number): boolean => {
    if (y - height >= bottom) return false
    page = document.addPage([sheet.width, sheet.height])
    y = sheet.height - margin
    return true
  }
  const broken = (text: string, { font = 'plain', size = 9.5, left = 0, wide = width - left }: Style): string[] =>
    wrap(shown(text), wide, (part) => fonts[font].widthOfTextAtSize(part, size))
  const put = (text: string, { font = 'plain', size = 9.5, colour = ink, left = 0 }: Style): void =>
    page.drawText(text, { x: margin + left, y, size, font: fonts[font], color: colour })
  return {
    room,
    spelled: () => spelled,
    broken,
    put,
    down: (height: number) => (y -= height),
    /** One or more lines below each other. */
    text(text: string, style: Style = {}) {
      const { size = 9.5, leading = size * 1.35 } = style
      for (const one of broken(text, style)) {
        room(leading)
        y -= leading
        put(one, style)
      }
    },
    heading(text: string) {
      y -= 22
      put(text, { font: 'bold', size: 11 })
      y -= 3
    },
    /** A text that ends at `right`. */
    putBefore(text: string, right: number, style: Style) {
      const { font = 'plain', size = 9.5 } = style
      put(shown(text), { ...style, left: right - fonts[font].widthOfTextAtSize(shown(text), size) })
    },
    rule: () => page.drawLine({ start: { x: margin, y }, end: { x: margin + width, y }, thickness: 0.5, color: line }),
    box: (height: number) => page.drawRectangle({ x: margin, y: y - height, width, height, color: shade }),
  }
}

function drawHead(page: Sheet, report: Report): void {
  page.text('BENCHMARK REPORT', { font: 'bold', size: 8, colour: grey })
  page.text(report.title, { font: 'bold', size: 18, leading: 24 })
  page.down(3)
  page.text(report.subtitle, { colour: grey })
  page.down(8)
  for (const note of report.notes) drawNote(page, note)
  const { headline } = report
  page.room(70)
  page.text(headline.title, { colour: grey, leading: 18 })
  page.text(headline.score, { font: 'bold', size: 26, leading: 32 })
  page.text(headline.limits, { leading: 16 })
  if (headline.meaning) page.text(headline.meaning, { size: 8.5, colour: grey })
  drawFacts(page, 'Run', report.facts, 'plain')
}

function drawNote(page: Sheet, note: string): void {
  const style: Style = { size: 9, left: 8, wide: width - 16, leading: 12 }
  const height = page.broken(note, style).length * 12 + 9
  page.room(height + 4)
  page.box(height)
  page.down(1)
  page.text(note, style)
  page.down(12)
}

function drawFacts(page: Sheet, title: string, facts: readonly Fact[], font: 'plain' | 'code'): void {
  page.room(22 + 3 + 14 * Math.min(facts.length, 4))
  page.heading(title)
  const size = font === 'code' ? 8 : 9
  for (const [name, value] of facts) {
    const names = page.broken(name, { size: 9, wide: factName - 8 })
    const values = page.broken(value, { font, size, left: factName })
    for (let at = 0; at < Math.max(names.length, values.length); at++) {
      page.room(13)
      page.down(13)
      page.put(names[at] ?? '', { size: 9, colour: grey })
      page.put(values[at] ?? '', { font, size, left: factName })
    }
  }
}

function drawTable(page: Sheet, report: Report): void {
  page.room(110)
  page.heading('Benchmarks')
  drawColumns(page, report.columns)
  for (const row of report.rows) drawRow(page, row, report.columns)
  page.down(4)
  for (const text of report.legend) page.text(text, { size: 8, colour: grey })
}

function drawColumns(page: Sheet, columns: readonly string[]): void {
  page.down(13)
  for (const [index, title] of columns.entries()) {
    if (index === 0) page.put(title, { size: 8, colour: grey })
    else page.putBefore(title, columnEnds[index]!, { size: 8, colour: grey })
  }
  page.down(4)
  page.rule()
}

/** A benchmark keeps together; its columns are named again on a new page. */
function drawRow(page: Sheet, row: ReportRow, columns: readonly string[]): void {
  const names = page.broken(row.name, { font: 'bold', wide: columnEnds[0]! })
  const small: Style = { size: 7.5, colour: grey, leading: 10 }
  const details = page.broken(row.details, small).length + (row.warning ? page.broken(row.warning, small).length : 0)
  if (page.room(names.length * 13 + details * 10 + 8)) drawColumns(page, columns)
  for (const [at, name] of names.entries()) {
    page.down(13)
    page.put(name, { font: 'bold' })
    if (at > 0) continue
    for (const [index, cell] of row.cells.entries())
      page.putBefore(cell, columnEnds[index + 1]!, { size: index === 0 ? 9.5 : 9, font: index === 0 ? 'bold' : 'plain' })
  }
  page.text(row.details, small)
  if (row.warning) page.text(row.warning, { ...small, colour: ink })
  page.down(5)
  page.rule()
}

function drawFeet(document: PDFDocument, { plain, characters }: Fonts, report: Report): void {
  const pages = document.getPages()
  for (const [index, page] of pages.entries()) {
    const right = `page ${index + 1} of ${pages.length}`
    const style = { y: margin - 16, size: 7.5, font: plain, color: grey }
    const text = printable(`${report.title} · ${report.subtitle}`, characters)
    const [left, more] = wrap(text, width - 80, (part) => plain.widthOfTextAtSize(part, 7.5))
    page.drawText(`${left}${more === undefined ? '' : '…'}`, { x: margin, ...style })
    page.drawText(right, { x: margin + width - plain.widthOfTextAtSize(right, 7.5), ...style })
  }
}
