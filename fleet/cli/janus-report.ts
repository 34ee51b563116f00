import { existsSync, readFileSync } from 'node:fs'
import * as z from 'zod'
import { JanusReport } from '#shared/janus/read-report.ts'
import { CommandError, UsageError } from './io.ts'
import { clean } from './terminal.ts'

/** Reads the file of a report, one of ours or an official one. Throws `CommandError` where there is none. */
export function readReport(path: string | undefined): JanusReport {
  if (path === undefined) throw new UsageError('Name the file of a report.')
  if (!existsSync(path)) throw new CommandError(`There is no file ${clean(path)}.`)
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new CommandError(`${clean(path)} cannot be read as JSON.`, 'unreadable', null, { cause })
  }
  const report = JanusReport.safeParse(parsed)
  if (report.success) return report.data
  throw new CommandError(`${clean(path)} is no report of the Janus suite: ${clean(z.prettifyError(report.error))}`, 'unreadable')
}
