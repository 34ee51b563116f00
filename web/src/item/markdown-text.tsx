import { createResource, createSignal, Show } from 'solid-js'

/**
 * Markdown written by a model or a data set: HTML in it stays text, images are dropped, links leave without a referrer. The renderer loads
 * when first wanted; until then, and on the server, the text stands as it is.
 */
export function MarkdownText(props: { text: string }) {
  const [html] = createResource(
    () => props.text,
    async (text) => (await import('./render-markdown.ts')).renderMarkdown(text),
    { ssrLoadFrom: 'initial' },
  )
  return (
    <Show when={html.latest} fallback={<PlainText text={props.text} />}>
      {/* The one place where markup is set: render-markdown escapes HTML and DOMPurify cleans what is left. */}
      <div class="prose max-w-[75ch] break-words" innerHTML={html.latest!} />
    </Show>
  )
}

/** Text as it is, folded when long. */
export function PlainText(props: { text: string; lines?: number }) {
  const [open, setOpen] = createSignal(false)
  const long = () => props.text.length > (props.lines ? 900 : 2400) || props.text.split('\n').length > (props.lines ?? 28)
  return (
    <>
      <pre
        class={`font-mono text-s leading-5 break-words whitespace-pre-wrap ${long() && !open() ? `${props.lines ? 'max-h-44' : 'max-h-80'} overflow-hidden [mask-image:linear-gradient(#000_70%,transparent)]` : ''}`}
      >
        {props.text}
      </pre>
      <Show when={long()}>
        <button type="button" class="chip mt-1 hover:text-ink" aria-expanded={open()} onClick={() => setOpen(!open())}>
          {open() ? 'Show less' : `Show all ${props.text.length.toLocaleString('en-US')} characters`}
        </button>
      </Show>
    </>
  )
}
