import type { ExecResult, Sandbox } from '#shared/solvers/sandbox.ts'
import type { Transcript } from './transcript.ts'

/** Bytes of a command's output that the transcript keeps of its beginning and of its end. */
const kept = 8192

/** The same sandbox with every command in the transcript. `now` is in milliseconds since the trial began. */
export function recordExecs(sandbox: Sandbox, transcript: Transcript, now: () => number): Sandbox {
  return {
    read: (path, most) => sandbox.read(path, most),
    write: (path, bytes) => sandbox.write(path, bytes),
    async exec(request) {
      const began = now()
      const result = await sandbox.exec(request)
      const { end, exit_code } = result
      transcript.add(
        {
          type: 'exec',
          took_ms: now() - began,
          command: request.argv.map(quoted).join(' '),
          end,
          exit_code,
          output: shown(result),
          output_bytes: result.stdout.length + result.stderr.length,
          artifact: null,
        },
        began,
      )
      return result
    },
  }
}

const quoted = (argument: string): string => (/^[\w@%+=:,./-]+$/.test(argument) ? argument : `'${argument.replaceAll("'", "'\\''")}'`)

/** What was written to both channels, the middle left out where it is long. */
function shown({ stdout, stderr }: ExecResult): string {
  const text = [stdout, stderr].filter((bytes) => bytes.length > 0).map(headAndTail)
  return text.join('\n')
}

function headAndTail(bytes: Uint8Array): string {
  const decode = (part: Uint8Array) => new TextDecoder().decode(part)
  if (bytes.length <= 2 * kept) return decode(bytes)
  return `${decode(bytes.subarray(0, kept))}\n[${bytes.length - 2 * kept} bytes left out]\n${decode(bytes.subarray(-kept))}`
}
