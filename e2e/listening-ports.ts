import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { descendants } from '../prove/chaos/processes.ts'

/** TCP ports on which `root` or anything it started listens, and the name of the program. Reads /proc, so Linux only. */
export function listeningPorts(root: number): { port: number; program: string }[] {
  const listening = new Map(['/proc/net/tcp', '/proc/net/tcp6'].flatMap(readListening))
  return descendants(root).flatMap(({ pid, args }) =>
    inodesOf(pid).flatMap((inode) => {
      const port = listening.get(inode)
      return port === undefined ? [] : [{ port, program: args.slice(0, 4).join(' ') }]
    }),
  )
}

/** Socket inode and port of every listening socket (state 0A). */
function readListening(path: string): [string, number][] {
  const lines = readFileSync(path, 'utf8').trim().split('\n').slice(1)
  return lines.flatMap((line): [string, number][] => {
    const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/)
    return state === '0A' ? [[inode, Number.parseInt(local.split(':')[1]!, 16)]] : []
  })
}

function inodesOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? []
    } catch {
      return []
    }
  })
}
