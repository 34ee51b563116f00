import { createEffect } from 'solid-js'
import { Fold } from '../../fold.tsx'

/** A program or a patch, coloured once its language is loaded; until then, and on the server, as it is. */
export function CodeText(props: { code: string; language: string }) {
  return (
    <Fold label={`Show all ${props.code.split('\n').length.toLocaleString('en-US')} lines`}>
      <section tabindex="0" aria-label="Program" class="overflow-x-auto">
        <pre class="font-mono text-s leading-5">
          <Coloured {...props} />
        </pre>
      </section>
    </Fold>
  )
}

function Coloured(props: { code: string; language: string }) {
  let block!: HTMLElement
  createEffect(() => {
    block.textContent = props.code
    const { language } = props
    void import('../../highlight-code.ts').then(({ highlightCode }) => highlightCode(block, language))
  })
  return <code ref={block}>{props.code}</code>
}
