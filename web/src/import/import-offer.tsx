import { Show } from '../ui/show.tsx'
import { createImports, ImportList } from './import-jobs.tsx'

/** What a file is that was dropped to be verified and is a job of Harbor, and a button that imports it: nothing is sent before that. */
export function ImportOffer(props: { file: File; job: string }) {
  const imports = createImports()
  return (
    <>
      <section aria-label="Harbor job" class="box p-4" role="status">
        <h2 class="text-xl font-semibold">This is a job of Harbor</h2>
        <p class="mt-1 text-muted [overflow-wrap:anywhere]">
          <Show when={props.job}>
            <code>{props.job}</code>:{' '}
          </Show>
          nobody signed it, so there is nothing to verify. It can be imported as a run, whose page shows its episodes and whose export is
          signed. For that the file is sent to this service; the run is private.
        </p>
        <Show when={imports.uploads().length === 0}>
          <button type="button" class="btn btn-main mt-3" onClick={() => imports.add([props.file])}>
            Import it
          </button>
        </Show>
      </section>
      <ImportList imports={imports} />
    </>
  )
}
