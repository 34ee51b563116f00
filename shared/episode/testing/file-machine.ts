import type { Machine, MachineExec, MachineExecResult, TreeFile } from '../../solvers/machine.ts'

/** What a command of a test did: its exit code and output, or how the machine ended it. */
export type Answer = [exit_code: number, text: string] | Exclude<MachineExecResult['end'], 'exited'>
export type Files = Map<string, TreeFile>
export type FileMachine = {
  machine: Machine
  files: Files
  requests: MachineExec[]
  /** Command lines of what runs in it. */
  running: string[]
  ended: { processes: number; stopped: number }
}

const bytes = (text: string) => new TextEncoder().encode(text)
const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`)

/** Puts a text where a program would have written it. */
export const write = (files: Files, path: string, text: string): void => void files.set(path, { path, mode: 0o644, bytes: bytes(text) })

/**
 * A machine that is a table of files by absolute path. `answer` gives what a command does, also to the files; of the others it knows `rm -rf`, and says `made`,
 * `reward` and `tests` where an episode looks for them.
 */
export function fileMachine(answer: (argv: readonly string[], files: Files, request: MachineExec) => Answer | undefined): FileMachine {
  const files: Files = new Map()
  const requests: MachineExec[] = []
  const running: string[] = []
  const ended = { processes: 0, stopped: 0 }
  const usual = (command: string): Answer => {
    for (const [, places = ''] of command.matchAll(/rm -rf ([^;&]*)/g))
      for (const place of places.split(' ').filter(Boolean)) for (const path of files.keys()) if (isBelow(path, place)) files.delete(path)
    const has = (place: string) => [...files.keys()].some((path) => isBelow(path, place))
    return [0, ['made', has('/logs/verifier/reward.txt') ? 'reward' : '', has('/tests') ? 'tests' : ''].filter(Boolean).join('\n')]
  }
  const machine: Machine = {
    image: { name: 'fake', digest: `sha256:${'0'.repeat(64)}` },
    async exec(request) {
      requests.push(request)
      for (const file of request.put?.files ?? []) files.set(`${request.put!.path}/${file.path}`, file)
      const given = answer(request.argv, files, request) ?? usual(request.argv.join(' '))
      const nothing = { tail: bytes(''), omitted_bytes: 0 }
      if (typeof given === 'string') return { end: given, exit_code: null, head: bytes(''), ...nothing }
      return { end: 'exited', exit_code: given[0], head: bytes(given[1]), ...nothing }
    },
    async upload(place, put) {
      for (const file of put) files.set(`${place}/${file.path}`, file)
      return 'written'
    },
    async download(place) {
      const found = [...files].filter(([path]) => isBelow(path, place))
      if (found.length === 0) return { ok: false, reason: 'absent' }
      const inside = found.map(([path, file]) => ({
        ...file,
        path: path === place ? path.split('/').at(-1)! : path.slice(place.length + 1),
      }))
      return { ok: true, folder: !files.has(place), files: inside }
    },
    folderStamp: async (place) => {
      const names = [...files.keys()].filter((path) => isBelow(path, place))
      return names.length === 0 ? null : names.join(' ')
    },
    processes: async () => [...running],
    endProcesses: async () => {
      ended.processes++
      running.length = 0
      return true
    },
    stop: async () => void ended.stopped++,
  }
  return { machine, files, requests, running, ended }
}
