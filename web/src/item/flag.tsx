import { flagMeaning, flagName } from './flag-meaning.ts'

/** What a scorer or the run remarked on a trial, in its own name, with what it means on hover. */
export function Flag(props: { name: string }) {
  return (
    <span class="mr-1 rounded-[4px] bg-raised px-1.5 text-s text-muted" title={flagMeaning(props.name)}>
      {flagName(props.name)}
    </span>
  )
}
