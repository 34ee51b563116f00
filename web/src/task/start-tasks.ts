import { createSignal } from 'solid-js'
import { type ExecuteTask, TaskExecuted, type UploadedTask } from '#shared/contract/task-upload.ts'
import { type ApiProblem, send } from '../api.ts'
import { taskApiPath } from '../paths.ts'
import { randomId } from '../ui/random-id.ts'

/** A task that a press would start. */
export type Target = Pick<UploadedTask, 'id' | 'name' | 'runnable' | 'team'>
export type Refused = { target: Target; problem: ApiProblem }

/** Starts tasks one after the other; a refused one holds up no other. `done` hears which were started. */
export function createStart(done: (started: TaskExecuted[]) => void) {
  const [starting, setStarting] = createSignal(false)
  const [refused, setRefused] = createSignal<Refused[]>([])
  const start = async (targets: readonly Target[], body: Partial<ExecuteTask>) => {
    setStarting(true)
    setRefused([]) // an old refusal must not stand beside a new try
    const started: TaskExecuted[] = []
    for (const target of targets) {
      const headers = { 'idempotency-key': randomId() }
      const answer = await send(TaskExecuted, taskApiPath(target.id, '/execute-async'), body, { headers })
      if (answer.ok) started.push(answer.value)
      else setRefused([...refused(), { target, problem: answer.problem }])
    }
    setStarting(false)
    if (started.length > 0) done(started)
  }
  return { starting, refused, start }
}
