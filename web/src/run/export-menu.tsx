import { createSignal, For } from 'solid-js'
import * as z from 'zod'
import { exportFormatNames, exportFormats } from '#shared/contract/export-formats.ts'
import Download from '~icons/lucide/download'
import { type ApiProblem, ask } from '../api.ts'
import { exportPath } from '../paths.ts'
import { count } from '../ui/format.ts'
import { Menu } from '../ui/menu.tsx'
import { Show } from '../ui/show.tsx'

const formats = exportFormatNames.map((format) => ({ format, ...exportFormats[format] }))

/**
 * The file is made before its first byte leaves, which takes seconds for a large run: the button says so until the browser has its download. `machines`: whether
 * trials of the run have machines of their own, as episodes at a terminal do; `benchmarks`: names of those it asks.
 */
export function ExportMenu(props: { id: string; trials: number; machines: boolean; benchmarks: readonly string[] }) {
  const offered = ({ episodes, suite }: (typeof formats)[number]) =>
    (props.machines || !episodes) && (suite === null || props.benchmarks.some((name) => name.startsWith(suite)))
  const [making, setMaking] = createSignal<string>()
  const [problem, setProblem] = createSignal<ApiProblem>()
  const take = async (event: MouseEvent, { format, title }: (typeof formats)[number]) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (making()) return
    setMaking(title)
    setProblem(undefined)
    // One byte of it: when that is here, the whole is ready, and its download begins at once.
    const answer = await ask(z.unknown(), exportPath(props.id, format), { headers: { range: 'bytes=0-0' } })
    setMaking(undefined)
    if (answer.ok || answer.problem.code === 'range-not-satisfiable') location.assign(exportPath(props.id, format))
    else setProblem(answer.problem)
  }
  return (
    <div class="relative">
      <Menu
        label={
          <>
            <Download size={15} aria-hidden="true" />
            <span role="status">
              <Show when={making()} fallback="Export">
                {(name) => `${name()}: preparing ${count(props.trials)} rows…`}
              </Show>
            </span>
          </>
        }
      >
        <For each={formats.filter(offered)}>
          {(one) => (
            <a
              href={exportPath(props.id, one.format)}
              rel="external"
              download=""
              onClick={(event) => void take(event, one)}
              class="block rounded-[4px] px-3 py-2 hover:bg-raised focus-visible:bg-raised"
            >
              <span class="font-medium">{one.title}</span>
              <span class="block text-s text-muted">{one.text}</span>
            </a>
          )}
        </For>
      </Menu>
      <Show when={problem()}>
        {(told) => (
          <div role="alert" class="box absolute right-0 z-40 mt-1 w-72 p-3 text-s shadow-box">
            <p class="text-papaya">Nothing was downloaded. {told().detail}</p>
            <button type="button" class="btn mt-2" onClick={() => setProblem(undefined)}>
              Close
            </button>
          </div>
        )}
      </Show>
    </div>
  )
}
