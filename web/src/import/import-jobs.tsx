import { useNavigate } from '@solidjs/router'
import { For, onCleanup, onMount } from 'solid-js'
import { HarborImported } from '#shared/contract/harbor-import.ts'
import { runPath } from '../paths.ts'
import { uploadForm } from '../task/upload-file.ts'
import { createUploads, isUnderWay, type Upload } from '../task/upload-queue.ts'
import { refusalOf, UploadCells } from '../task/upload-state.tsx'
import { Show } from '../ui/show.tsx'
import { ofJob } from './import-words.ts'
import { ImportedRuns } from './imported-runs.tsx'

/** Archives of jobs on their way to the service. */
export type JobImports = ReturnType<typeof createImports>

/**
 * Sends archives of jobs, for the team that `team` names when the sending begins. The page of the run
 * opens where one came of it and nothing was left out.
 */
export function createImports(team: () => string | undefined = () => undefined) {
  const navigate = useNavigate()
  let left = false
  const imports = createUploads<HarborImported>(
    (file, watch) => {
      const form = new FormData()
      form.set('file', file)
      const of = team()
      return uploadForm(HarborImported, `/api/import/harbor${of ? `?team=${encodeURIComponent(of)}` : ''}`, form, watch)
    },
    ({ runs, left_out_total }) => {
      const alone = imports.uploads().length === 1
      if (!left && alone && runs.length === 1 && left_out_total === 0) navigate(runPath(runs[0]!.run_id))
    },
    ofJob,
  )
  onCleanup(() => {
    left = true
  })
  onMount(() => {
    const stay = (event: BeforeUnloadEvent) => imports.uploads().some(isUnderWay) && event.preventDefault()
    window.addEventListener('beforeunload', stay)
    onCleanup(() => window.removeEventListener('beforeunload', stay))
  })
  return imports
}

/** How far each archive is, and what became of it. */
export function ImportList(props: { imports: JobImports }) {
  const ids = () => props.imports.uploads().map(({ id }) => id)
  const one = (id: number) => props.imports.uploads().find((upload) => upload.id === id)
  return (
    <Show when={ids().length > 0}>
      <section aria-label="Imports" class="grid grid-cols-[minmax(0,1fr)] gap-3">
        <For each={ids()}>
          {(id) => <Show when={one(id)}>{(upload) => <Import upload={upload()} drop={() => props.imports.drop(id)} />}</Show>}
        </For>
      </section>
    </Show>
  )
}

function Import(props: { upload: Upload<HarborImported>; drop: () => void }) {
  const edge = () => (refusalOf(props.upload) ? 'border-papaya-fill' : '')
  return (
    <article class={`box grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-3 ${edge()}`}>
      <UploadCells upload={props.upload} drop={props.drop} stored={(imported) => <ImportedRuns imported={imported} />} />
    </article>
  )
}
