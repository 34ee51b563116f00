import { A } from '@solidjs/router'
import Check from 'lucide-solid/icons/check'
import TriangleAlert from 'lucide-solid/icons/triangle-alert'
import X from 'lucide-solid/icons/x'
import { For, Match, Show, Switch } from 'solid-js'
import type { UploadedTask } from '#shared/contract/task-upload.ts'
import { taskPath } from '../paths.ts'
import { bytesText } from '../ui/format.ts'
import { isUnderWay, type Upload, type Uploads } from './upload-queue.ts'
import { UploadProgress, UploadRefusal } from './upload-state.tsx'

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
  const state = () => props.upload.state
  const refused = () => {
    const now = state()
    return now.kind === 'refused' ? now.problem : undefined
  }
  const stored = () => {
    const now = state()
    return now.kind === 'stored' ? now.stored : undefined
  }
  return (
    <li class="grid min-h-14 grid-cols-[1rem_minmax(0,1fr)_auto] items-start gap-x-3 px-4 py-2 not-last:border-b border-line">
      <span class="pt-0.5" aria-hidden="true">
        <Show when={stored()}>
          <Check size={16} class="text-moss" />
        </Show>
        <Show when={refused()}>
          <TriangleAlert size={16} class="text-papaya" />
        </Show>
      </span>
      <div class="min-w-0">
        <p class="flex flex-wrap items-baseline gap-x-3">
          <span class="font-medium [overflow-wrap:anywhere]">{props.upload.name}</span>
          <span class="text-s text-faint">{bytesText(props.upload.size)}</span>
        </p>
        <Switch>
          <Match when={refused()}>{(problem) => <UploadRefusal problem={problem()} />}</Match>
          <Match when={stored()}>
            {(task) => (
              <p class="text-muted">
                stored as{' '}
                <A href={taskPath(task().id)} class="link text-ink">
                  {task().name}
                </A>
                {task().runnable ? '' : '; it cannot run here'}
              </p>
            )}
          </Match>
          <Match when={true}>
            <UploadProgress upload={props.upload} />
          </Match>
        </Switch>
      </div>
      <button
        type="button"
        class="btn btn-icon size-7 border-transparent"
        aria-label={isUnderWay(props.upload) ? `Give up ${props.upload.name}` : `Take ${props.upload.name} off the list`}
        onClick={() => props.drop()}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </li>
  )
}
