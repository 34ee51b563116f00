/** Shows a value under its name, with a note below. */
export function Fact(props: { name: string; value: string; note?: string | undefined }) {
  return (
    <div class="min-w-0">
      <dt class="eyebrow">{props.name}</dt>
      <dd class="text-l font-semibold whitespace-nowrap">{props.value}</dd>
      <dd class="text-s text-faint [overflow-wrap:anywhere] empty:hidden">{props.note}</dd>
    </div>
  )
}
