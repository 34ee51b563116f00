import { A } from '@solidjs/router'
import { For } from 'solid-js'
import { CopyButton } from '../ui/copy.tsx'
import { origin } from '../ui/origin.ts'
import { SampleTasks } from './sample-tasks.tsx'

const files = [
  ['task.toml', 'version = "1.0", and its times, CPU, memory and network'],
  ['instruction.md', 'what whoever works at it is told'],
  ['environment/Dockerfile', 'the machine it is done in'],
  ['tests/test.sh', 'writes a number from 0 to 1 to /logs/verifier/reward.txt'],
  ['solution/solve.sh', 'how it is done; optional, for the oracle'],
] as const

/** What a task is made of and how it comes here; shown while there is none. */
export function TaskRecipe() {
  const upload = () => `bench upload my-task/ --url ${origin()} --agent oracle -k 3 --execute`
  return (
    <section aria-label="How a task is made" class="box grid grid-cols-[minmax(0,1fr)] gap-3 p-4">
      <h2 class="font-semibold">No task yet: how one is made</h2>
      <p class="max-w-[75ch] text-muted">
        A task is a folder in Harbor’s format: an instruction, a machine, and tests that give a reward. Pack the folder as a ZIP and drop it
        above; several at once are fine. Each episode begins in a fresh machine.
      </p>
      <dl class="grid gap-x-6 gap-y-1 rounded-box bg-raised p-3 sm:grid-cols-[auto_minmax(0,1fr)]">
        <For each={files}>
          {([path, meaning]) => (
            <>
              <dt>
                <code>{path}</code>
              </dt>
              <dd class="text-muted max-sm:mb-1 max-sm:pl-4">{meaning}</dd>
            </>
          )}
        </For>
      </dl>
      <SampleTasks />
      <p class="text-muted">
        Try the solver <code>oracle</code> first, which runs the task’s own solution and should get 1, and <code>nop</code>, which does
        nothing and should get 0.
      </p>
      <Command
        title="From a terminal, on this machine and without a service, a whole folder of tasks:"
        text="bench run --local --tasks my-tasks/ --profile oracle -k 5"
      />
      <Command title="Or packed and sent here, and started at once:" text={upload()} />
      <p class="text-s text-muted">
        Models, items and times of such runs stand in{' '}
        <A href="/runs" class="link">
          Runs
        </A>{' '}
        like any other’s.
      </p>
    </section>
  )
}

function Command(props: { title: string; text: string }) {
  return (
    <div>
      <p class="text-muted">{props.title}</p>
      <div class="relative mt-1">
        <pre class="rounded-box bg-raised p-3 pr-24 [overflow-wrap:anywhere] whitespace-pre-wrap max-sm:pt-10 max-sm:pr-3">
          {props.text}
        </pre>
        <CopyButton text={props.text} label="Copy" class="absolute top-2 right-2" />
      </div>
    </div>
  )
}
