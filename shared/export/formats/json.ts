import type { TrialPages } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import { toRunItem } from '../run-item.ts'
import { type ExportRun, encode, shownPages } from './format.ts'

/** The run as the API shows it, and its items, one a line. */
export async function* writeJson(run: ExportRun, pages: TrialPages): AsyncGenerator<Bytes> {
  yield encode(`{"run":${JSON.stringify(run.view)},"trials":[`)
  let separator = ''
  for await (const page of shownPages(run, pages)) {
    let text = ''
    for (const trial of page) {
      text += `${separator}\n${JSON.stringify(toRunItem(trial))}`
      separator = ','
    }
    yield encode(text)
  }
  yield encode('\n]}\n')
}
