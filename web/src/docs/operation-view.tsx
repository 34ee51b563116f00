import { For } from 'solid-js'
import { CopyButton } from '../ui/copy.tsx'
import { Show } from '../ui/show.tsx'
import type { Operation } from './read-openapi.ts'

/** One call: what it takes, what it answers, and a line to try it. */
export function OperationView(props: { one: Operation }) {
  return (
    <details id={props.one.id} class="box group scroll-mt-16">
      <summary class="flex list-none flex-wrap items-baseline gap-x-3 px-4 py-2.5 [&::-webkit-details-marker]:hidden">
        <code class={`w-14 font-semibold ${props.one.method === 'GET' ? 'text-moss' : 'text-papaya'}`}>{props.one.method}</code>
        <code class="min-w-0 break-all">{props.one.path}</code>
        <span class="ml-auto text-s text-muted max-md:ml-0 max-md:w-full">{props.one.summary}</span>
      </summary>
      <div class="grid grid-cols-[minmax(0,1fr)] gap-4 border-t border-line p-4">
        <Show when={props.one.description}>
          <p class="text-muted">{props.one.description}</p>
        </Show>
        <div class="relative">
          <pre class="overflow-x-auto rounded-box bg-raised p-3 pr-24">{props.one.curl}</pre>
          <CopyButton text={props.one.curl} label="Copy" class="absolute top-2 right-2" />
        </div>
        <Show when={props.one.parameters.length}>
          <Parameters one={props.one} />
        </Show>
        <Show when={props.one.body}>
          <div>
            <h3 class="eyebrow mb-1">Body</h3>
            <pre class="overflow-x-auto">{props.one.body}</pre>
          </div>
        </Show>
        <div>
          <h3 class="eyebrow mb-1">Answers</h3>
          <For each={props.one.answers}>
            {(answer) => (
              <div class="mb-1">
                <code class="mr-3 font-semibold">{answer.status}</code>
                <span class="text-muted">{answer.description}</span>
                <Show when={answer.type}>
                  <pre class="mt-1 overflow-x-auto">{answer.type}</pre>
                </Show>
              </div>
            )}
          </For>
        </div>
      </div>
    </details>
  )
}

function Parameters(props: { one: Operation }) {
  return (
    <table class="w-full">
      <caption class="eyebrow mb-1 text-left">Parameters</caption>
      <tbody>
        <For each={props.one.parameters}>
          {(parameter) => (
            <tr class="border-t border-line align-top">
              <th scope="row" class="py-1.5 pr-3 font-normal">
                <code>{parameter.name}</code>
                {parameter.required ? '' : '?'}
              </th>
              <td class="py-1.5 pr-3 text-s text-faint">{parameter.where}</td>
              <td class="py-1.5 pr-3">
                <code class="break-words">{parameter.type}</code>
              </td>
              <td class="py-1.5 text-muted">{parameter.description}</td>
            </tr>
          )}
        </For>
      </tbody>
    </table>
  )
}
