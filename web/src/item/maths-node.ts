import katex from 'katex'
import 'katex/dist/katex.min.css'
import type { Maths } from './markdown-source.ts'

/** A formula as nodes, with MathML for readers. KaTeX follows no links and loads nothing (`trust: false`); what it cannot set stays as it was written. */
export function mathsNode({ tex, display }: Maths): HTMLElement {
  const node = document.createElement('span')
  try {
    katex.render(tex, node, { displayMode: display, throwOnError: true, trust: false, strict: 'ignore', maxSize: 20, maxExpand: 500 })
    // A formula that is wider than its column scrolls, by keys too.
    node.querySelector('.katex-display')?.setAttribute('tabindex', '0')
  } catch {
    const code = document.createElement('code')
    code.textContent = tex
    code.title = 'This formula could not be set'
    node.replaceChildren(code)
  }
  return node
}
