import { For, Show } from 'solid-js'
import type { ApiProblem } from '../api.ts'
import { type Upload, withoutFaults } from './upload-queue.ts'

/** How far an archive is on its way. */
export function UploadProgress(props: { upload: Upload<unknown> }) {
  const share = () => (props.upload.state.kind === 'sending' ? props.upload.state.share : props.upload.state.kind === 'sent' ? 1 : 0)
  const words = () => {
    const { state } = props.upload
    if (state.kind === 'waiting') return 'waiting for its turn'
    return state.kind === 'sent' ? 'sent; the server reads it' : `${Math.floor(share() * 100)} % sent`
  }
  return (
    <p class="flex items-center gap-3 text-muted">
      <progress class="h-1.5 w-40 max-w-[40%] accent-moss-fill" value={share()} max={1} aria-label={`${props.upload.name} sent`} />
      <span class="text-s">{words()}</span>
    </p>
  )
}

/** Why an archive was refused: each entry that is wrong and what to do about it. */
export function UploadRefusal(props: { problem: ApiProblem }) {
  const told = () => withoutFaults(props.problem)
  return (
    <div role="alert" class="[overflow-wrap:anywhere]">
      <p class="text-papaya">{told()}</p>
      <ul class="mt-0.5 grid gap-0.5 empty:hidden">
        <For each={props.problem.errors}>{({ message }) => <li>{message}</li>}</For>
      </ul>
      <Show when={props.problem.errors.length > 0}>
        <p class="mt-0.5 text-s text-muted">Mend that and drop the archive again.</p>
      </Show>
    </div>
  )
}
