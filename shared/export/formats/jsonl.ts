import type { TrialPages } from '../bundle.ts'
import type { Bytes } from '../byte-source.ts'
import { type ExportRun, encode, shownPages } from './format.ts'

/** Every whole record, one a line. */
export async function* writeJsonl(run: Pick<ExportRun, 'view' | 'withheld'>, pages: TrialPages): AsyncGenerator<Bytes> {
  for await (const page of shownPages(run, pages)) {
    yield encode(page.map(({ record, finished_at }) => `${JSON.stringify({ run_id: run.view.id, finished_at, ...record })}\n`).join(''))
  }
}
