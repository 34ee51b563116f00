import { A } from '@solidjs/router'
import { For } from 'solid-js'
import type { UploadedTask } from '#shared/contract/task-upload.ts'
import Check from '~icons/lucide/check'
import TriangleAlert from '~icons/lucide/triangle-alert'
import { taskPath } from '../paths.ts'
import { Show } from '../ui/show.tsx'
import { isUnderWay, type Upload, type Uploads } from './upload-queue.ts'
import { refusalOf, storedOf, UploadCells } from './upload-state.tsx'

/** The archives of this visit: how far each is and what became of it. */
export function UploadList(props: { uploads: Uploads<UploadedTask> }) {
  const all = () => props.uploads.uploads()
  const ended = () => all().length - all().filter(isUnderWay).length
  // Lines go by their numbers, so that they stay the same elements while their state moves.
  const ids = () => all().map(({ id }) => id)
  const one = (id: number) => all().find((upload) => upload.id === id)
  return (
    <section aria-label="Uploads" class="box">
      <ul>
        <For each={ids()}>
          {(id) => <Show when={one(id)}>{(upload) => <Line upload={upload()} drop={() => props.uploads.drop(id)} />}</Show>}
        </For>
      </ul>
      <div class="flex items-center gap-3 border-t border-line px-4 py-2 text-s text-muted">
        <span role="status">{summary(all())}</span>
        <button type="button" class="chip ml-auto hover:text-ink" disabled={ended() === 0} onClick={() => props.uploads.clear()}>
          Clear
        </button>
      </div>
    </section>
  )
}

/** `2 stored, 1 refused, 3 to go`. */
function summary(uploads: readonly Upload<UploadedTask>[]): string {
  const of = (kind: string) => uploads.filter(({ state }) => state.kind === kind).length
  const parts = [
    [of('stored'), 'stored'],
    [of('refused'), 'refused'],
    [uploads.filter(isUnderWay).length, 'to go'],
  ] as const
  return parts.flatMap(([times, word]) => (times > 0 ? [`${times} ${word}`] : [])).join(', ')
}

function Line(props: { upload: Upload<UploadedTask>; drop: () => void }) {
  return (
    <li class="grid min-h-14 grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-2 not-last:border-b border-line">
      <span class="pt-0.5" aria-hidden="true">
        <Show when={storedOf(props.upload)}>
          <Check size={16} class="text-moss" />
        </Show>
        <Show when={refusalOf(props.upload)}>
          <TriangleAlert size={16} class="text-papaya" />
        </Show>
      </span>
      <UploadCells upload={props.upload} drop={props.drop} stored={(task) => <StoredAs task={task} />} />
    </li>
  )
}

function StoredAs(props: { task: UploadedTask }) {
  return (
    <p class="text-muted">
      stored as{' '}
      <A href={taskPath(props.task.id)} class="link text-ink">
        {props.task.name}
      </A>
      {props.task.runnable ? '' : '; it cannot run here'}
    </p>
  )
}
