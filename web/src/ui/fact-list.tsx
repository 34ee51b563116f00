import { For } from 'solid-js'

/** Names beside what they stand for, one a line. */
export function FactList(props: { facts: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="grid grid-cols-[8rem_minmax(0,1fr)] content-start gap-y-1">
      <For each={props.facts}>
        {([name, value]) => (
          <>
            <dt class="text-faint">{name}</dt>
            <dd class="break-words">{value}</dd>
          </>
        )}
      </For>
    </dl>
  )
}
