import { For } from 'solid-js'

/** A page in outline: its header and rows where the content will stand. */
export function PageSkeleton() {
  return (
    <div aria-hidden="true">
      <div class="flex min-h-14 items-center border-b border-line px-4 py-2 sm:px-6">
        <span class="skeleton h-6 w-48" />
      </div>
      <div class="grid gap-4 px-4 py-5 sm:px-6">
        <span class="skeleton h-8 w-full max-w-3xl" />
        <RowsSkeleton rows={8} />
      </div>
    </div>
  )
}

/** Rows of a list in outline, as tall as the real ones. */
export function RowsSkeleton(props: { rows: number }) {
  return (
    <div class="box overflow-hidden" aria-hidden="true">
      <For each={Array.from({ length: props.rows })}>
        {() => (
          <div class="flex h-14 items-center gap-4 px-4 not-last:border-b border-line">
            <span class="skeleton size-4 shrink-0" />
            <span class="skeleton h-4 min-w-0 flex-1" />
            <span class="skeleton h-4 w-24 shrink-0" />
          </div>
        )}
      </For>
    </div>
  )
}
