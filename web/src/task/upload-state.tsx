import { For, type JSX, Switch } from 'solid-js'
import X from '~icons/lucide/x'
import type { ApiProblem } from '../api.ts'
import { bytesText } from '../ui/format.ts'
import { Match, Show } from '../ui/show.tsx'
import { isUnderWay, type Upload, withoutFaults } from './upload-queue.ts'

/** What an archive was stored as, once it is. */
export const storedOf = <T,>({ state }: Upload<T>): T | undefined => (state.kind === 'stored' ? state.stored : undefined)
/** Why an archive was refused, where it was. */
export const refusalOf = ({ state }: Upload<unknown>): ApiProblem | undefined => (state.kind === 'refused' ? state.problem : undefined)

/** An archive in a list of two columns: its name, how far it is or what became of it (`stored`), and a button that drops it. */
export function UploadCells<T>(props: { upload: Upload<T>; drop: () => void; stored: (what: T) => JSX.Element }) {
  return (
    <>
      <div class="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1">
        <p class="flex flex-wrap items-baseline gap-x-3">
          <span class="font-medium [overflow-wrap:anywhere]">{props.upload.name}</span>
          <span class="text-s text-faint">{bytesText(props.upload.size)}</span>
        </p>
        <Switch fallback={<UploadProgress upload={props.upload} />}>
          <Match when={refusalOf(props.upload)}>{(problem) => <UploadRefusal problem={problem()} />}</Match>
          <Match when={storedOf(props.upload)}>{(what) => props.stored(what() as T)}</Match>
        </Switch>
      </div>
      <button
        type="button"
        class="btn btn-icon size-7 border-transparent"
        aria-label={isUnderWay(props.upload) ? `Give up ${props.upload.name}` : `Take ${props.upload.name} off the list`}
        onClick={() => props.drop()}
      >
        <X size={14} aria-hidden="true" />
      </button>
    </>
  )
}

/** How far an archive is on its way. */
function UploadProgress(props: { upload: Upload<unknown> }) {
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
function UploadRefusal(props: { problem: ApiProblem }) {
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
