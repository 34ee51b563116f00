import { createSignal, type JSX } from 'solid-js'
import Upload from '~icons/lucide/upload'

/**
 * Takes files that are dropped, or chosen by mouse, keyboard or screen reader. `accept` is the
 * attribute of the input. If `dropAll` is set, it gets each drop, with folders, instead of `drop`.
 */
export function DropZone(props: {
  accept: string
  several?: boolean
  class?: string
  drop: (files: File[]) => void
  dropAll?: (dropped: DataTransfer) => void
  children: JSX.Element
}) {
  const [over, setOver] = createSignal(false)
  return (
    <label
      class={`flex flex-col items-center gap-2 rounded-box border-2 border-dashed px-4 text-center has-focus-visible:outline-2 has-focus-visible:outline-moss ${props.class ?? 'py-10'} ${over() ? 'border-moss-fill bg-moss-soft' : 'border-line-strong hover:bg-raised'}`}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        const dropped = event.dataTransfer
        if (dropped && props.dropAll) props.dropAll(dropped)
        else props.drop([...(dropped?.files ?? [])])
      }}
    >
      <Upload size={22} class="text-faint" aria-hidden="true" />
      {props.children}
      <input
        type="file"
        accept={props.accept}
        multiple={props.several}
        class="sr-only"
        onChange={(event) => {
          props.drop([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
    </label>
  )
}
