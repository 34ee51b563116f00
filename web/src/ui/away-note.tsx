import type { JSX } from 'solid-js'
import type { ApiProblem } from '../api.ts'
import { duration } from './format.ts'
import { Note } from './note.tsx'
import { useNow } from './now.ts'

/** Beside what was good while the server is away or broken: what the matter is, how old everything on the page is, and that nobody need act. */
export function AwayNote(props: { problem?: ApiProblem | undefined; sinceMs: number; children?: JSX.Element }) {
  const now = useNow(1000)
  // Whole seconds: a tenth would only flicker.
  const seconds = () => {
    const spent = Math.max(1, Math.round((now() - props.sinceMs) / 1000))
    return spent < 60 ? `${spent} s` : duration(spent * 1000)
  }
  return (
    <Note title={`${props.problem?.title ?? 'The server cannot be reached'}; this page tries again by itself.`} quiet>
      What stands here is as it was {seconds()} ago. {props.children}
    </Note>
  )
}
