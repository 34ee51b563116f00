import { createAsync } from '@solidjs/router'
import { createMemo, For } from 'solid-js'
import { getApiDocs } from '../docs/api-docs.ts'
import { OperationView } from '../docs/operation-view.tsx'
import { Page } from '../ui/page.tsx'
import { ProblemNote } from '../ui/problem.tsx'
import { Show } from '../ui/show.tsx'

/** The HTTP API, made from the same schemas that requests and answers are checked by. */
export default function Docs() {
  const answer = createAsync(() => getApiDocs())
  const docs = () => {
    const got = answer()
    return got?.ok ? got.value : undefined
  }
  const problem = () => {
    const got = answer()
    return got && !got.ok ? got.problem : undefined
  }
  const tags = createMemo(() => [...new Set(docs()?.operations.map((one) => one.tag))])
  return (
    <Page
      title="Docs"
      tab="API"
      lead={<Show when={docs()}>{(got) => <>API {got().version}</>}</Show>}
      actions={
        <a class="btn" href="/api/openapi.json" rel="external">
          OpenAPI
        </a>
      }
    >
      <Show when={problem()}>{(got) => <ProblemNote problem={got()} page />}</Show>
      <Show when={docs()}>
        {(got) => (
          <div class="grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[13rem_minmax(0,1fr)]">
            <nav aria-label="API" class="max-lg:hidden">
              <div class="sticky top-20 max-h-[calc(100dvh-6rem)] overflow-y-auto">
                <For each={tags()}>
                  {(tag) => (
                    <a href={`#${tag}`} class="block rounded-box px-2 py-1 text-muted hover:bg-raised hover:text-ink">
                      {tag}
                    </a>
                  )}
                </For>
                <a href="#schemas" class="block rounded-box px-2 py-1 text-muted hover:bg-raised hover:text-ink">
                  schemas
                </a>
              </div>
            </nav>
            <div class="max-w-4xl min-w-0">
              <Intro />
              <For each={tags()}>
                {(tag) => (
                  <section id={tag} class="mt-8 scroll-mt-16">
                    <h2 class="mb-3 text-xl font-semibold">{tag}</h2>
                    <div class="grid grid-cols-[minmax(0,1fr)] gap-2">
                      <For each={got().operations.filter((one) => one.tag === tag)}>{(one) => <OperationView one={one} />}</For>
                    </div>
                  </section>
                )}
              </For>
              <section id="schemas" class="mt-8 scroll-mt-16">
                <h2 class="mb-3 text-xl font-semibold">schemas</h2>
                <For each={got().schemas}>
                  {(schema) => (
                    <details id={`schema-${schema.name}`} class="box mb-2 scroll-mt-16">
                      <summary class="px-4 py-2 font-medium">{schema.name}</summary>
                      <pre class="overflow-x-auto border-t border-line p-4">{schema.text}</pre>
                    </details>
                  )}
                </For>
              </section>
            </div>
          </div>
        )}
      </Show>
    </Page>
  )
}

function Intro() {
  return (
    <section class="grid gap-2 text-muted">
      <p>
        Reading public runs needs no key. Starting and steering runs needs one, sent as <code>Authorization: Bearer</code>; never put a key
        into an address. Errors are <code>application/problem+json</code> with a stable <code>code</code> and a <code>detail</code> that
        says what to do; every answer carries <code>x-request-id</code>.
      </p>
      <p>
        Follow a run with server-sent events: the event type stands in the data, ids count up, and <code>?after=</code> or{' '}
        <code>Last-Event-ID</code> goes on where a stream broke off.
      </p>
    </section>
  )
}
