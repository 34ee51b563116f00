import type { ExecResult } from '#shared/solvers/sandbox.ts'
import { type Architecture, deniedCalls, firstNewerCall, newerCalls, numberOn } from './bubblewrap/syscalls.ts'
import type { LocalKind } from './open-local.ts'
import type { Sought } from './planted-canary.ts'

/**
 * What stands on the host for attacks to reach: a file, a port of 127.0.0.1, an abstract socket, a word in the agent's environment, and files beside the
 * program and its data.
 */
export type Canary = { file: string; port: number; socket: string; word: string; planted: Sought }

/**
 * A program that tries to get out or to take more than its part. It prints a line that begins with OPEN for what it got, and `done` at its end;
 * it is contained when it ends in one of `ends` without such a line. `row`: its place in the table of attacks, 1 to 44.
 * `kind` runs it: a container shows the files of its image and groups that cannot be written to, where bubblewrap shows neither.
 */
export type Attack = {
  row: number
  name: string
  program(canary: Canary, architecture: Architecture, kind: LocalKind): readonly [string, ...string[]]
  ends: readonly ExecResult['end'][]
  timeout_ms?: number
}

/** Whether an attack came to nothing: it ran to an end that it may have, and got nothing. */
export function isContained({ ends }: Pick<Attack, 'ends'>, { end, stdout }: ExecResult): boolean {
  const said = new TextDecoder().decode(stdout)
  return ends.includes(end) && !/^OPEN/m.test(said) && (end !== 'exited' || /^done$/m.test(said))
}

const prelude = String.raw`no warnings; $| = 1;
sub open_if { my ($what, $got) = @_; print "OPEN $what\n" if $got }
sub refused { my ($what, $number, @with) = @_; $! = 0; my $got = syscall($number, @with);
  print "OPEN $what: $got, $!\n" unless $got == -1 && ($!+0 == 1 || $!+0 == 38 || $!+0 == 97) }
`
const perl = (text: string): readonly [string, ...string[]] => ['perl', '-e', `${prelude}${text}\nprint "done\\n";`]
const sh = (text: string): readonly [string, ...string[]] => ['sh', '-c', `${text}\necho done`]
const exited = ['exited'] as const
/** The number of `sched_setscheduler`. */
const setScheduler = { x64: 144, arm64: 119 } as const satisfies Record<Architecture, number>

/** What no system has that is not a whole one: files that are there in an image, and in the machine's own system. */
const bareOnly = '"/etc/shadow", "/etc/passwd", "/root", "/home", "/var", "/.dockerenv", '
const bareRoot = String.raw`my %own = map { $_ => 1 } qw(. .. bin sbin lib lib32 lib64 libx32 usr etc dev proc tmp workspace);
opendir(my $d, "/"); open_if("/$_", !$own{$_}) for readdir $d; opendir(my $e, "/etc"); open_if("/etc/$_", !/^(\.\.?|alternatives|ld\.so\.cache)$/) for readdir $e;`

/** Nothing of the machine is mounted but what Docker makes for each container. */
const imageMounts = String.raw`for (<$m>) { my ($at, $type) = m{^\S+ \S+ \S+ \S+ (\S+) .* - (\S+)} or next;
  open_if("mount of $at", $type !~ /^(overlay|proc|tmpfs|devpts|sysfs|cgroup2?|mqueue)$/ && $at !~ m{^(/etc/(resolv\.conf|hosts|hostname)|(/usr)?/sbin/docker-init)$}) }`

/** Attacks as programs. Those of a row differ in their way; what a row asks beyond a program in one sandbox is in the contract (`elsewhere`). */
export const attacks: readonly Attack[] = [
  {
    row: 1,
    name: 'fork bomb',
    program: () =>
      perl(
        'my $n = 0; while ($n < 3000) { my $p = fork; last unless defined $p; sleep 99 unless $p; $n++ } open_if("$n processes", $n > 999);',
      ),
    ends: exited,
  },
  {
    row: 2,
    name: 'flood of zombies',
    program: () =>
      perl('my $n = 0; while ($n < 3000) { my $p = fork; last unless defined $p; exit unless $p; $n++ } open_if("$n zombies", $n > 999);'),
    ends: exited,
  },
  {
    row: 2,
    name: 'loop of exec',
    program: () => ['perl', '-e', 'exec("perl", "-e", $ARGV[0], $ARGV[0])', 'exec("perl", "-e", $ARGV[0], $ARGV[0])'],
    ends: ['timeout'],
    timeout_ms: 500,
  },
  { row: 3, name: 'memory until killed', program: () => perl('my @a; push @a, "x" x 1e6 while 1;'), ends: ['out-of-memory'] },
  {
    row: 3,
    name: 'memory of many small processes',
    program: () => perl('for (1..12) { unless (fork) { my $a = "x" x 2e7; sleep 99 } } 1 while wait > 0;'),
    ends: ['out-of-memory'],
  },
  {
    row: 3,
    name: 'memory by shared files',
    program: () =>
      sh(
        'for i in 1 2 3 4 5 6 7 8 9; do head -c 20000000 /dev/zero > /dev/shm/f$i 2>&1; done; [ "$(du -sm /dev/shm | cut -f1)" -gt 16 ] && echo OPEN',
      ),
    ends: exited,
  },
  {
    row: 4,
    name: 'more time than its part, by many programs and by rank',
    program: (_, on) =>
      perl(`use POSIX (); open_if("rank", POSIX::nice(-20)); refused("round robin", ${setScheduler[on]}, 0, 2, pack("i", 1));
my $end = time + 3; for (1..6) { unless (fork) { 1 while time < $end; exit } } 1 while wait > 0; my @t = times; open_if("$t[2] seconds of processors", $t[2] > 4.2);`),
    ends: exited,
  },
  {
    row: 5,
    name: 'fill /tmp',
    program: () => sh('head -c 60000000 /dev/zero > /tmp/f 2>/dev/null; [ "$(du -m /tmp/f | cut -f1)" -gt 16 ] && echo OPEN'),
    ends: exited,
  },
  {
    row: 6,
    name: 'fill every other place',
    program: () =>
      perl(`my $all = 0;
for my $d ("/", "/dev", "/dev/shm", "/dev/pts", "/run", "/var/tmp", "/usr", "/usr/local", "/etc", "/proc", "/proc/self", "/sys", "/mnt", "/workspace", "/tmp") {
  open(my $f, ">", "$d/fill") or next; syswrite($f, "x" x 1e6) or last for 1..40; close $f; $all += -s "$d/fill" }
open_if("$all bytes", $all > 17e6);`),
    ends: exited,
  },
  {
    row: 7,
    name: 'flood of files',
    program: () => perl('my $n = 0; for (1..50000) { open(my $f, ">", "/tmp/f$_") or last; $n++ } open_if("$n files", $n > 5000);'),
    ends: exited,
  },
  {
    row: 7,
    name: 'directories deep and with the longest names',
    program: () => perl('my $n = 0; for (1..20000) { mkdir("d" x 255) && chdir("d" x 255) or last; $n++ } open_if("$n deep", $n > 5000);'),
    ends: exited,
  },
  {
    row: 8,
    name: 'sparse file of exabytes, and room asked for it',
    program: () =>
      perl(
        'open(my $f, ">", "s"); truncate($f, 2 ** 62); seek($f, 2 ** 61, 0); syswrite($f, "x"); utime(2 ** 40, 2 ** 40, "s"); open_if("room", (stat "s")[12] * 512 > 17e6);',
      ),
    ends: exited,
  },
  { row: 9, name: 'output without end', program: () => ['yes'], ends: ['output-limit'] },
  { row: 9, name: 'a line of 1 GB', program: () => ['head', '-c', '1000000000', '/dev/zero'], ends: ['output-limit'] },
  {
    row: 9,
    name: 'both channels at once, invalid UTF-8',
    program: () => ['sh', '-c', 'head -c 1000000000 /dev/urandom >&2 & head -c 1000000000 /dev/urandom'],
    ends: ['output-limit'],
  },
  {
    row: 10,
    name: 'network in every family',
    program: ({ port, socket }) =>
      perl(String.raw`use Socket qw(:all);
for my $to ("127.0.0.1", "0.0.0.0", "8.8.8.8", "10.0.2.2", "172.17.0.1") {
  socket(my $t, PF_INET, SOCK_STREAM, 0); open_if("TCP $to", connect($t, pack_sockaddr_in(${port}, inet_aton($to)))) }
socket(my $u, PF_INET, SOCK_DGRAM, 0); open_if("UDP", send($u, "x", 0, pack_sockaddr_in(53, inet_aton("8.8.8.8"))));
socket(my $s, PF_INET6, SOCK_STREAM, 0); open_if("IPv6", connect($s, pack_sockaddr_in6(${port}, inet_pton(AF_INET6, "::1"))));
open_if("raw", socket(my $r, PF_INET, SOCK_RAW, 1)); open_if("ICMP", socket(my $i, PF_INET, SOCK_DGRAM, 1) && send($i, "\x08" . "\0" x 7, 0, pack_sockaddr_in(0, inet_aton("8.8.8.8"))));
socket(my $a, PF_UNIX, SOCK_STREAM, 0); open_if("abstract socket", connect($a, pack("Sa*", AF_UNIX, "\0${socket}")));
for my $family (4, 9, 15, 16, 17, 29, 30, 31, 38, 40, 44) { open_if("family $family", socket(my $x, $family, $_, 0)) for (SOCK_STREAM, SOCK_DGRAM, SOCK_RAW, SOCK_SEQPACKET) }`),
    ends: exited,
  },
  {
    row: 11,
    name: 'metadata services',
    program: () =>
      perl(`use Socket qw(:all);
for my $to ("169.254.169.254", "100.100.100.200", "169.254.170.2") { socket(my $t, PF_INET, SOCK_STREAM, 0); open_if($to, connect($t, pack_sockaddr_in(80, inet_aton($to)))) }
socket(my $s, PF_INET6, SOCK_STREAM, 0); open_if("fd00:ec2::254", connect($s, pack_sockaddr_in6(80, inet_pton(AF_INET6, "fd00:ec2::254"))));`),
    ends: exited,
  },
  {
    row: 12,
    name: 'names by any resolver',
    program: (_, __, kind) =>
      perl(
        `use Socket qw(:all); open_if("resolved", defined inet_aton("example.com")); -e $_ and open_if($_, 1) for ("/run/systemd/resolve", "/var/run/nscd", "/run/nscd"${kind === 'docker' ? '' : ', "/etc/resolv.conf"'});
if (open(my $f, "<", "/etc/resolv.conf")) { open_if("resolver: $_", /^(nameserver|search|domain)/ && !/^(nameserver 127\\.0\\.0\\.1|search \\.)$/) for <$f> }`,
      ),
    ends: exited,
  },
  {
    row: 13,
    name: 'files of the host',
    program: ({ file }, _, kind) =>
      perl(`for my $p (${kind === 'docker' ? '' : bareOnly}"/tmp/..${file}", "${file}", "/proc/1/root${file}", "/proc/self/root${file}", "/proc/self/cwd/../../..${file}", "/work", "/oldroot", "/newroot", "/run/secrets") {
  open_if($p, -e $p) } open(my $m, "<", "/proc/self/mountinfo"); ${kind === 'docker' ? imageMounts : bareRoot}`),
    ends: exited,
  },
  {
    row: 14,
    name: 'words of the agent’s environment',
    program: ({ word }) =>
      perl(`my $word = reverse "${[...word].reverse().join('')}";
open_if("environment", grep { /$word/ } %ENV); for my $f (glob("/proc/[0-9]*/{environ,cmdline}")) { next if $f =~ m{^/proc/$$/cmdline}; open(my $h, "<", $f) or next; local $/; open_if($f, <$h> =~ /$word/) }
open(my $l, "<", "/proc/self/limits"); open_if("core files", grep { /core file size\\s+([2-9]|\\d\\d|unl)/ } <$l>);`),
    ends: exited,
  },
  {
    row: 15,
    name: 'descriptors of the agent',
    program: () =>
      perl(
        'for my $f (0..1200) { my $to = readlink "/proc/self/fd/$f" or next; next if $f < 3 || $to eq "/dev/null"; open_if("descriptor $f: $to", 1) } open_if("a path through one", -e "/proc/self/fd/$_/../etc/shadow") for 0..20;',
      ),
    ends: exited,
  },
]

/** Rows that are not programs in one sandbox: where they are checked, or why they are not. */
export const elsewhere: Readonly<Record<number, string>> = {
  29: 'in the contract: writing follows no link',
  30: 'no archive leaves a sandbox: files are read one by one',
  31: 'in the contract: reading waits for nothing',
  32: 'in the contract: paths are names of files and never words of a command',
  33: 'of verifiers: tests enter after the solver has ended',
  34: 'of verifiers: forged verdicts',
  35: 'of verifiers: hooks of a test runner',
  36: 'of verifiers: replaced tools',
  37: 'of verifiers: tampering in the process of the tests',
  39: 'of verifiers: values of rewards',
  40: 'of judges',
  41: 'in the contract: sandboxes have nothing in common; channels by timing are not closed',
  42: 'of the runtime’s version: told in the proof of Docker’s sandboxes',
  43: 'in its own test: limits out of range are refused',
  44: 'of a service elsewhere',
}

/** Rows whose attack is on who handles files from outside: the rules of the contract in which they are tried. */
export const contractRows: Readonly<Record<number, readonly string[]>> = { 29: ['SBX5'], 31: ['SBX4'], 32: ['SBX1', 'SBX4'], 41: ['SBX11'] }

/** Numbers of all calls that a program must not have. */
export function refusedNumbers(architecture: Architecture): number[] {
  const denied = Object.values(deniedCalls).flatMap((numbers) => numberOn(architecture, numbers) ?? [])
  const newer = Array.from({ length: 60 }, (_, index) => firstNewerCall + index).filter(
    (number) => !Object.values(newerCalls).includes(number),
  )
  return [...new Set([...denied, ...newer])]
}

export { exited, perl, sh }
