import { For } from 'solid-js'
import { sampleTasks } from '#shared/episode/sample-tasks.ts'

/** Links to archives that can be uploaded as they are. */
export function SampleTasks() {
  return (
    <p class="text-muted">
      Sample tasks to download:{' '}
      <For each={sampleTasks}>
        {({ name, about, path }, index) => (
          <>
            {index() > 0 && ', '}
            <a href={path} class="link" download={`${name}.zip`} title={about} rel="external">
              {name}.zip
            </a>
          </>
        )}
      </For>
      .
    </p>
  )
}
