import { type Accessor, createEffect, createSignal, type JSX, on } from 'solid-js'
import { Show } from '../ui/show.tsx'
import type { Range } from './markdown-source.ts'

/** What a text is rendered to, in the browser only; nothing until it is there. An effect and no resource: a text on its way must hold up no page. */
function createRendering(text: () => unknown, render: () => Promise<HTMLElement | undefined>): Accessor<HTMLElement | undefined> {
  const [node, setNode] = createSignal<HTMLElement>()
  let latest = 0
  createEffect(
    on(text, async () => {
      const mine = ++latest
      setNode(undefined)
      const rendered = await render()
      if (mine === latest) setNode(rendered)
    }),
  )
  return node
}

/**
 * Markdown written by a model or a data set: HTML in it stays text, images are dropped, links leave without a referrer, formulas and code are
 * set. The renderer loads when first wanted; until then, and on the server, `meanwhile` or the text as it is stands in its place.
 */
export function MarkdownText(props: { text: string; mark?: Range | null; meanwhile?: JSX.Element }) {
  const node = createRendering(
    () => `${props.mark?.from} ${props.mark?.to} ${props.text}`,
    async () => (await import('./render-markdown.ts')).renderMarkdown(props.text, props.mark ?? null),
  )
  return (
    <Show when={node()} fallback={props.meanwhile ?? <PlainText text={props.text} />}>
      {/* The one place where markup is set: render-markdown escapes HTML and DOMPurify cleans what is left. */}
      {(root) => <div class="prose max-w-[75ch] break-words">{root()}</div>}
    </Show>
  )
}

/** Text of a data set that is no Markdown: as it is, but for its formulas. */
export function MathsText(props: { text: string }) {
  const node = createRendering(
    () => props.text,
    async () => (/[$\\]/.test(props.text) ? (await import('./render-markdown.ts')).renderMaths(props.text) : undefined),
  )
  return <span class="break-words whitespace-pre-wrap">{node() ?? props.text}</span>
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
