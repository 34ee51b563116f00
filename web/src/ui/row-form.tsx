import type { JSX } from 'solid-js'

/** The form at the foot of a list: its fields and its button in one row. Enter and the button submit it. */
export function RowForm(props: { submit: () => Promise<void>; children: JSX.Element }) {
  return (
    <form
      class="flex flex-wrap items-end gap-3 border-t border-line px-5 py-4"
      onSubmit={(event) => {
        event.preventDefault()
        void props.submit()
      }}
    >
      {props.children}
    </form>
  )
}
