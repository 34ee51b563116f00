import { createSignal, type JSX, onCleanup, onMount } from 'solid-js'
import { Show } from '../ui/show.tsx'

/** Height in pixels of what is shown of a long text at first. */
const foldedPx = 320

/**
 * A long text of which a part is shown until all of it is wanted: the part around its mark, where it has one, else its beginning. It is measured
 * anew when its content changes.
 */
export function Fold(props: { children: JSX.Element; label: string }) {
  const [open, setOpen] = createSignal(false)
  const [heightPx, setHeightPx] = createSignal(0)
  let box!: HTMLDivElement
  let content!: HTMLDivElement
  const long = () => heightPx() > foldedPx * 1.25
  const showMark = () => {
    const mark = content.querySelector('mark')
    if (!open() && mark) box.scrollTop = mark.getBoundingClientRect().top - content.getBoundingClientRect().top - foldedPx * 0.6
  }
  onMount(() => {
    const observer = new ResizeObserver(() => {
      setHeightPx(content.offsetHeight)
      showMark()
    })
    observer.observe(content)
    onCleanup(() => observer.disconnect())
  })
  return (
    <>
      <div
        ref={box}
        class={
          open()
            ? ''
            : `max-h-80 overflow-hidden ${long() ? '[mask-image:linear-gradient(transparent,#000_3rem,#000_calc(100%-3rem),transparent)]' : ''}`
        }
      >
        <div ref={content} class={long() && !open() ? 'py-6' : ''}>
          {props.children}
        </div>
      </div>
      <Show when={long()}>
        <button type="button" class="chip mt-2 hover:text-ink" aria-expanded={open()} onClick={() => setOpen(!open())}>
          {open() ? 'Show less' : props.label}
        </button>
      </Show>
    </>
  )
}
