import type { Machine, MachineExec, MachineExecResult } from '../../solvers/machine.ts'

/** What the fake shows, and what came to it. Scripts change it when keys come. */
export type FakePane = {
  /** The pane with its history; its last 40 lines are the screen. */
  buffer: string
  alive: boolean
  /** What the pane has written, as its log has it. */
  written: string
  /** Whether a command that is waited for ends in time. */
  ends: boolean
}

export type FakeTmux = { machine: Machine; pane: FakePane; commands: string[][]; keys: string[]; requests: MachineExec[] }

const rows = 40
const bytes = (text: string) => new TextEncoder().encode(text)

function screenOf(buffer: string): string {
  const lines = buffer.replace(/\n$/, '').split('\n').slice(-rows)
  return `${[...lines, ...Array.from({ length: rows - lines.length }, () => '')].join('\n')}\n`
}

/**
 * A machine whose commands are answered by a tmux that is only told of: keys come to `onKeys`, which writes into the pane. `answers` go before: they answer
 * commands by their words, joined by spaces, with an exit code and a text or with how the machine ended them.
 */
export function fakeTmux(
  onKeys: (keys: string, pane: FakePane) => void = () => undefined,
  answers: (command: string) => [number, string] | Exclude<MachineExecResult['end'], 'exited'> | undefined = () => undefined,
): FakeTmux {
  const pane: FakePane = { buffer: 'root@box:/app# ', alive: true, written: '', ends: true }
  const [commands, keys, requests]: [string[][], string[], MachineExec[]] = [[], [], []]
  let pasted = ''
  const answer = (argv: readonly string[], stdin: Uint8Array | undefined): [number, string] => {
    const [program, verb] = argv
    if (program === 'tail') return [0, new TextDecoder().decode(bytes(pane.written).slice(Number(argv[2]!.slice(1)) - 1))]
    if (program === 'timeout') return [pane.ends ? 0 : 124, '']
    if (program !== 'tmux') return [127, 'no such program']
    if (verb === '-V') return [0, 'tmux 3.4\n']
    if (verb === 'new-session' || verb === 'set-option') return [0, '']
    if (!pane.alive) return [1, 'no server running on /tmp/tmux-0/default\n']
    if (verb === 'capture-pane') return [0, argv.includes('-S') ? `${pane.buffer}\n` : screenOf(pane.buffer)]
    if (verb === 'load-buffer') pasted = new TextDecoder().decode(stdin)
    const typed = verb === 'send-keys' ? argv.slice(argv[4] === '--' ? 5 : 4) : verb === 'paste-buffer' ? [pasted] : []
    for (const key of typed) {
      keys.push(key)
      onKeys(key, pane)
    }
    return [0, '']
  }
  const machine: Machine = {
    image: { name: 'fake', digest: `sha256:${'0'.repeat(64)}` },
    async exec(request) {
      requests.push(request)
      commands.push([...request.argv])
      const given = answers(request.argv.join(' '))
      const nothing = { head: bytes(''), tail: bytes(''), omitted_bytes: 0 }
      if (typeof given === 'string') return { end: given, exit_code: null, ...nothing }
      const [exit_code, text] = given ?? answer(request.argv, request.stdin)
      const all = bytes(text)
      const head = all.slice(0, request.head_bytes)
      const tail = all.slice(Math.max(head.length, all.length - request.tail_bytes))
      return { end: 'exited', exit_code, head, tail, omitted_bytes: all.length - head.length - tail.length }
    },
    upload: async () => 'unavailable',
    download: async () => ({ ok: false, reason: 'unavailable' }),
    folderStamp: async () => undefined,
    processes: async () => null,
    endProcesses: async () => false,
    stop: async () => undefined,
  }
  return { machine, pane, commands, keys, requests }
}
