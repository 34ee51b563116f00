import { For } from 'solid-js'
import { ground, ink } from './css-colour.ts'
import type { Frame } from './frame.ts'

/**
 * A terminal's screen as text that can be selected. It is as wide as its place allows, and no smaller than can be read: a wide terminal scrolls on a phone. What
 * changes by the second is not read out; a reader who wants it goes there.
 */
export function TerminalScreen(props: { frame: Frame; label: string }) {
  return (
    <div class="terminal rounded-box border border-line" style={{ background: ground, color: ink }}>
      <section tabindex="0" aria-label={props.label} class="overflow-x-auto p-2">
        <pre class="terminal-rows" style={{ '--columns': props.frame.columns }}>
          <For each={props.frame.rows}>
            {(row) => (
              <div>
                <For each={row.pieces} fallback={' '}>
                  {(piece) => <span style={piece.css}>{piece.text}</span>}
                </For>
              </div>
            )}
          </For>
        </pre>
      </section>
    </div>
  )
}
