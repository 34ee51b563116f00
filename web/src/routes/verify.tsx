import { createAsync } from '@solidjs/router'
import { createSignal, For } from 'solid-js'
import type { ApiProblem } from '../api.ts'
import { getKeys } from '../queries.ts'
import { DropZone } from '../ui/drop-zone.tsx'
import { moment } from '../ui/format.ts'
import { later } from '../ui/later.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'
import { type ChosenFolder, chosenFolder, droppedFolder } from '../verify/bundle-folder.ts'
import { verifyFile } from '../verify/verify-file.ts'
import { NotProven, VerifyReportView } from '../verify/verify-report-view.tsx'
import type { VerifyAnswer } from '../verify/verify-worker.ts'

const ImportOffer = later(async () => (await import('../import/import-offer.tsx')).ImportOffer)

/** Drop a signed ZIP; everything about it is checked in this browser. */
export default function Verify() {
  const answer = createAsync(() => getKeys())
  const keys = () => {
    const got = answer()
    return got?.ok ? got.value.keys : []
  }
  const [state, setState] = createSignal<{ given: File | ChosenFolder; share?: number; found?: VerifyAnswer }>()
  const check = async (given: File | ChosenFolder | undefined) => {
    if (!given) return
    setState({ given })
    const found = await verifyFile(given, keys(), (share) => setState({ given, share }))
    setState({ given, found })
  }
  const checkDropped = async (dropped: DataTransfer) => {
    // The list of files is gone once anything is waited for.
    const [file] = dropped.files
    const given = await droppedFolder(dropped).catch((error: unknown) => ({ error: `The folder could not be read: ${error}` }))
    if (given && 'error' in given) setState({ given: { name: '', files: [] }, found: given })
    else await check(given ?? file)
  }
  const report = () => {
    const found = state()?.found
    return found && 'report' in found ? found.report : undefined
  }
  const broken = (): ApiProblem | undefined => {
    const found = state()?.found
    if (!found || !('error' in found)) return undefined
    return { code: 'verifier', status: 500, title: 'The file could not be checked', detail: found.error, errors: [], request_id: null }
  }
  const job = () => {
    const now = state()
    return now?.found && 'job' in now.found && now.given instanceof File ? { file: now.given, name: now.found.job } : undefined
  }
  const problem = () => {
    const got = answer()
    return got && !got.ok ? got.problem : undefined
  }
  return (
    <Page title="Verify">
      <div class="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-5">
        <p class="text-muted">
          Check the signed ZIP of any run, or the folder that it was unpacked into. It is read and recomputed in this browser and is not
          sent anywhere; <code>bench verify FILE_OR_FOLDER</code> does the same in a terminal.
        </p>
        <DropZone accept=".zip,application/zip" drop={(files) => void check(files[0])} dropAll={(dropped) => void checkDropped(dropped)}>
          <Show
            when={state() && !state()!.found}
            fallback={
              <>
                <span class="font-medium">Drop a signed ZIP or its folder here, or choose a ZIP</span>
                <span class="text-s text-faint">from a run’s Export menu</span>
              </>
            }
          >
            <span class="font-medium">Checking, {Math.floor((state()!.share ?? 0) * 100)} %</span>
            <progress class="h-1.5 w-60 max-w-full accent-moss-fill" value={state()!.share ?? 0} max={1} aria-label="Checked" />
          </Show>
        </DropZone>
        <label class="btn justify-self-start has-focus-visible:outline-2 has-focus-visible:outline-moss">
          Choose a folder
          <input
            type="file"
            class="sr-only"
            ref={(field) => {
              field.webkitdirectory = true
            }}
            onChange={(event) => {
              void check(chosenFolder([...(event.currentTarget.files ?? [])]))
              event.currentTarget.value = ''
            }}
          />
        </label>
        <Show when={problem()}>{(got) => <ProblemNote problem={got()} />}</Show>
        <Show when={broken()}>{(got) => <ProblemNote problem={got()} />}</Show>
        <Show when={report()}>{(got) => <VerifyReportView report={got()} name={state()!.given.name} />}</Show>
        <Show when={job()} keyed>
          {(got) => <ImportOffer file={got.file} job={got.name} />}
        </Show>
        <NotProven />
        <section class="box p-4">
          <h2 class="font-semibold">Keys of this service</h2>
          <ul class="mt-2 grid gap-3">
            <For
              each={keys()}
              fallback={
                <li class="text-muted">
                  No key has signed here yet. Compare the key in a bundle with one its operator publishes elsewhere.
                </li>
              }
            >
              {(key) => (
                <li>
                  <code class="break-all">{key.fingerprint}</code>
                  <span class="block text-s text-muted">
                    public key <code class="break-all">{key.public_key}</code>, since {moment(key.valid_from)}
                    {key.retired_at ? `, retired ${moment(key.retired_at)}` : ''}
                  </span>
                </li>
              )}
            </For>
          </ul>
        </section>
      </div>
    </Page>
  )
}
