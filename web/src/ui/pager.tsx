import { count } from './format.ts'
import { Show } from './show.tsx'

/** Steps through a list that is shown `size` rows at a time. */
export function Pager(props: { size: number; offset: number; total: number; set: (offset: number) => void }) {
  return (
    <Show when={props.total > props.size && props.offset < props.total}>
      <nav class="mt-3 flex items-center justify-between text-muted" aria-label="Pages">
        <button type="button" class="btn" disabled={props.offset === 0} onClick={() => props.set(Math.max(0, props.offset - props.size))}>
          Before
        </button>
        <span>
          {count(props.offset + 1)} to {count(Math.min(props.offset + props.size, props.total))} of {count(props.total)}
        </span>
        <button
          type="button"
          class="btn"
          disabled={props.offset + props.size >= props.total}
          onClick={() => props.set(props.offset + props.size)}
        >
          After
        </button>
      </nav>
    </Show>
  )
}
