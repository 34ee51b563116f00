import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { systemMounts } from '../bubblewrap/system-mounts.ts'
import { fieldsText, insideCommand, partsOf, quoteForShell, readReport } from './inside-request.ts'

const systemOfHost = await systemMounts()
const absent = spawnSync('bwrap', ['--version']).status !== 0 && 'bwrap is not installed'
if (absent) console.info(`skipped: ${absent}`)
const isRoot = process.getuid!() === 0
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)

/** A machine of its own for some shell commands, one after the other: its first user has all rights in it if the agent has. */
function machine(commands: readonly string[], ...extra: string[]) {
  const places = ['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/workspace', '--perms', '1777', '--tmpfs', '/tmp']
  const rights = isRoot ? ['--cap-add', 'ALL'] : ['--unshare-user']
  const argv = [
    '--unshare-pid',
    '--unshare-ipc',
    ...rights,
    ...systemOfHost(),
    ...places,
    ...extra,
    '--',
    'sh',
    '-c',
    ['chmod 755 /etc; chmod 1777 /workspace', ...commands].join('\n'),
  ]
  return spawnSync('bwrap', argv, { encoding: 'utf8', timeout: 30_000, env: { PATH: process.env.PATH, HOST_WORD: 'of-the-service' } })
}
const stage = '/tmp/stage'
const user = 20_001
/** One program of a sandbox: `network` and the rest are the fields of `run`. */
const run = (argv: readonly string[], { network = 0, memory = 96e6, timeout = 20_000 } = {}) =>
  `(${insideCommand('run', fieldsText([stage, user, timeout, 65_536, memory, 256, network, '/workspace', '', 0, ...argv]))})`
const ready = (network = 0) => `(${insideCommand('ready', fieldsText([stage, user, network]))})`
const reports = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map(readReport)
    .map((report) => (report && !('file' in report.parts) ? [report.end, report.code, ...report.parts.map(text)] : null))
const daemon = `use POSIX; exit if fork; POSIX::setsid(); exit if fork; $SIG{$_} = "IGNORE" for qw(TERM HUP INT);
  open($_, "+<", "/dev/null") for (*STDIN, *STDOUT, *STDERR); sleep 999`

test('[SBX67] what a command left behind is ended from inside, in another session and without a parent', (context) => {
  context.skip(absent !== false, String(absent))
  const leave = ['sh', '-c', `perl -e '${daemon}' daemon-word; sleep 888 & echo told`]
  const count = 'cat /proc/[0-9]*/cmdline | tr "\\0" " " | grep -c "daemon-wor[d]\\|sleep 88[8]" >&2'
  const spin = ['sh', '-c', `perl -e '${daemon}' daemon-word; trap "" TERM; while :; do sleep 1; done`]
  const { stdout, stderr } = machine([ready(), run(leave), count, run(spin, { timeout: 500 }), count])
  expect(reports(stdout).map((said) => said?.slice(0, 3))).toEqual([
    ['ready', 0, isRoot ? 'root' : 'user'],
    ['exited', 0, 'told\n'],
    ['timeout', 0, ''],
  ])
  expect(stderr).toBe('0\n0\n')
})

test('[SBX67] memory is watched from inside, counted once where processes share it', (context) => {
  context.skip(absent !== false, String(absent))
  const many = 'my @a = ("x" x 3e7); for (1..8) { unless (fork) { '
  const own = run(['perl', '-e', `${many} substr($a[0], $_ * 4096, 1) = "y" for 0..7000; sleep 9; exit } } 1 while wait > 0`])
  const shared = run(['perl', '-e', `${many} select undef, undef, undef, 0.3; exit } } 1 while wait > 0; print "done"`])
  const { stdout } = machine([ready(), own, shared])
  expect(reports(stdout).slice(1)).toEqual([
    ['out-of-memory', 0, '', ''],
    ['exited', 0, 'done', ''],
  ])
})

test('[SBX68] where a service gives root, programs are a user without rights and without network, and cannot speak for what watches them', (context) => {
  context.skip(absent !== false, String(absent))
  context.skip(!isRoot, 'this is not root')
  const looks = 'id -u; id -G; grep -c "^NoNewPrivs:.1$" /proc/self/status; env | grep -c HOST_WORD; tail -n +3 /proc/net/dev | cut -d: -f1'
  const attacks = 'kill -9 $PPID; (: > /proc/$PPID/fd/1) && echo OPEN; touch /usr/x /etc/x && echo OPEN; echo alive'
  const loopback =
    'use Socket; socket(S, AF_INET, SOCK_STREAM, 0); bind(S, sockaddr_in(0, INADDR_LOOPBACK)); listen(S, 1); socket(C, AF_INET, SOCK_STREAM, 0); print connect(C, getsockname(S)) ? "heard" : $!'
  const { stdout } = machine([ready(), run(['sh', '-c', looks]), run(['sh', '-c', attacks]), run(['perl', '-e', loopback])])
  expect(reports(stdout).map((said) => said?.slice(0, 3))).toEqual([
    ['ready', 0, 'root'],
    ['exited', 0, `${user}\n${user}\n1\n0\n    lo\n`],
    ['exited', 0, 'alive\n'],
    ['exited', 0, 'heard'],
  ])
  const crowd = run([
    'perl',
    '-e',
    'my $n = 0; while ($n < 999) { my $p = fork; last unless defined $p; sleep 99 unless $p; $n++ } print $n < 256',
  ])
  expect(reports(machine([ready(), crowd]).stdout)[1]).toEqual(['exited', 0, '1', ''])
})

test('[SBX68] a sandbox whose network cannot be shut off from inside is refused, unless it was asked for', (context) => {
  context.skip(absent !== false, String(absent))
  context.skip(!isRoot, 'this is not root')
  const asNobody = (command: string) => `setpriv --reuid=65534 --regid=65534 --clear-groups -- sh -c ${quoteForShell(command)}`
  const open = [asNobody(ready()), asNobody(ready(1))]
  const ways = spawnSync('sh', ['-c', 'tail -n +3 /proc/net/dev | grep -vc "^ *lo:"'], { encoding: 'utf8' }).stdout.trim()
  context.skip(ways === '0', 'this machine has no network of its own')
  expect(reports(machine(open).stdout)).toEqual([
    ['denied', 0, 'it has a network that cannot be shut off from inside'],
    ['ready', 0, 'user'],
  ])
  expect(reports(machine(open, '--unshare-net').stdout)[0]).toEqual(['ready', 0, 'user'])
})

test('[SBX66] words come back from a shell as they went in, and bytes from a report', () => {
  const words = ["it's", '$HOME `id` "\\', '', 'a\nb', '*', '-e', 'ünï']
  const { stdout } = spawnSync('sh', ['-c', `printf '%s|' ${words.map(quoteForShell).join(' ')}`], { encoding: 'utf8' })
  expect(stdout).toBe(words.map((word) => `${word}|`).join(''))
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index)
  for (let length = 0; length < 5; length++)
    expect(partsOf(fieldsText([bytes.subarray(0, length), 'x', 7]))).toEqual(
      [bytes.slice(0, length), Buffer.from('x'), Buffer.from('7')].map((one) => new Uint8Array(one)),
    )
  expect(readReport('Command timed out')).toBeNull()
  expect(readReport('bench exited 3 YQ==,\n')).toEqual({ end: 'exited', code: 3, parts: [new Uint8Array([97]), new Uint8Array()] })
})
