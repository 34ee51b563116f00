import * as z from 'zod'
import { BadRecord } from '../task.ts'
import { inflateBase64, NotInflated } from './inflate-base64.ts'
import { NotOneString, oneStringOf } from './one-string-pickle.ts'
import { type LcbRecord, LcbTests } from './record.ts'

/** Bytes that the private tests of one problem may unpack to. */
const mostBytes = 2 ** 30

/** All tests of a problem, public ones first. With a name it is a function that is called, else a program that reads and writes. */
export const HiddenTests = z.object({
  inputs: z.array(z.string()),
  outputs: z.array(z.string()),
  fn_name: z.string().nullable(),
})
export type HiddenTests = z.infer<typeof HiddenTests>

/** The tests of a row. Rejects with `BadRecord` where they cannot be decoded or there are none: a program without tests has shown nothing. */
export async function hiddenTests(record: LcbRecord, row: number): Promise<HiddenTests> {
  const bad = (what: string, cause: unknown) => new BadRecord('test', row, `private_test_cases: ${what}`, { cause })
  let list: unknown
  try {
    list = await privateList(record.private_test_cases)
  } catch (cause) {
    if (cause instanceof NotInflated || cause instanceof NotOneString) throw bad(cause.message, cause)
    throw bad('they are no JSON in UTF-8', cause)
  }
  const parsed = LcbTests.safeParse(list)
  if (!parsed.success) throw bad(z.prettifyError(parsed.error), parsed.error)
  const tests = [...record.public_test_cases, ...parsed.data]
  if (tests.length === 0) throw bad('there are no tests, public ones neither', undefined)
  return {
    inputs: tests.map(({ input }) => input),
    outputs: tests.map(({ output }) => output),
    fn_name: record.metadata.func_name ?? null,
  }
}

/** JSON as it is, or out of a pickled text in a zlib stream in base64. Rejects where it is neither. */
async function privateList(text: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch {
    const bytes = oneStringOf(await inflateBase64(text, mostBytes))
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes))
  }
}
