import { For } from 'solid-js'
import { taskStatuses } from '#shared/contract/task-upload.ts'
import { TeamFilter } from '../team/team-filter.tsx'
import { Chip, SearchField } from '../ui/filter-fields.tsx'
import { TaskMark } from '../ui/mark.tsx'
import type { TaskFilter } from './task-filter.ts'

/** Words and state that the list of tasks is narrowed to. */
export function TasksFilters(props: { filter: TaskFilter; set: (change: Partial<TaskFilter>) => void }) {
  return (
    <div class="flex flex-wrap items-center gap-2">
      <SearchField
        label="Search name, instruction or file"
        placeholder="Name, instruction or file"
        class="w-full sm:w-72"
        value={props.filter.q}
        set={(q) => props.set({ q })}
      />
      <TeamFilter team={props.filter.team} set={(team) => props.set({ team })} />
      <For each={taskStatuses}>
        {(one) => (
          <Chip on={props.filter.status === one} set={(on) => props.set({ status: on ? one : undefined })}>
            <TaskMark status={one} />
          </Chip>
        )}
      </For>
    </div>
  )
}
