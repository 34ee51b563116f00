import { type Attack, exited, perl } from './attacks.ts'
import type { Architecture } from './bubblewrap/syscalls.ts'

type Numbers = Readonly<Record<Architecture, number>>
const memfdCreate: Numbers = { x64: 319, arm64: 279 }
const setXattr: Numbers = { x64: 188, arm64: 5 }
const setLimits: Numbers = { x64: 302, arm64: 261 }

/** A program of x86-64 that makes threads on one stack, none of which uses it, until it is refused: it ends with 1 where that was late. */
const threads = String.raw`\x31\xdb\xb8\x38\x00\x00\x00\xbf\x00\x0f\x05\x00\x48\x89\xe6\x31\xd2\x45\x31\xd2\x45\x31\xc0\x0f\x05\x85\xc0\x74\x1f\x78\x0a\xff\xc3\x81\xfb\xb8\x0b\x00\x00\x72\xd9\x31\xff\x81\xfb\xe7\x03\x00\x00\x40\x0f\x97\xc7\xb8\xe7\x00\x00\x00\x0f\x05\xb8\x22\x00\x00\x00\x0f\x05\xeb\xf7`

/** Perl that fills a socket until it takes no more. */
const fill = 'sub fill { my $s = shift; fcntl($s, 4, fcntl($s, 3, 0) | 2048); 1 while syswrite($s, "x" x 65536) }'

/** What kernels show of themselves: none of it can be read but what says nothing. */
const looks = `/proc/kcore /proc/kmsg /proc/slabinfo /proc/vmallocinfo /proc/timer_list /proc/sched_debug /proc/latency_stats /proc/1/mem
  /proc/kpageflags /sys/firmware/acpi /sys/kernel/debug /sys/kernel/tracing /sys/fs/bpf /sys/devices/virtual/powercap`

const outOfMemory = ['out-of-memory'] as const

/** Attacks that take what a kernel keeps for a program outside of its memory, and further ones on what watches over it. */
export const exhaustionAttacks: readonly Attack[] = [
  {
    row: 2,
    name: 'flood of threads (x86-64)',
    program: (_, on) =>
      perl(
        on === 'x64'
          ? String.raw`my $code = "${threads}"; my $size = 120 + length $code; open(my $f, ">", "program"); print $f "\x7fELF\x02\x01\x01", "\0" x 9, pack("vvVQQQVvvvvvv", 2, 62, 1, 0x400078, 64, 0, 0, 64, 56, 1, 0, 0, 0), pack("VVQQQQQQ", 1, 5, 0, 0x400000, 0x400000, $size, $size, 4096), $code; close $f; chmod 0755, "program"; my $s = system("./program"); open_if("threads: $s", $s != 0);`
          : '',
      ),
    ends: exited,
  },
  {
    row: 3,
    name: 'memory of files without a name',
    program: (_, on) =>
      perl(String.raw`my $n = "x\0"; open(my $h, ">&=", syscall(${memfdCreate[on]}, $n, 0)); syswrite($h, "x" x 1e6) or last for 1..300;`),
    ends: outOfMemory,
  },
  {
    row: 3,
    name: 'memory of segments that outlive who made them',
    program: () => perl('for (1..20) { my $id = shmget(0, 20e6, 0600 | 01000); shmwrite($id, "x" x 19e6, 0, 19e6) }'),
    ends: outOfMemory,
  },
  {
    row: 3,
    name: 'memory of semaphores',
    program: () => perl('my $n = 0; for (1..3000) { defined semget(0, 32000, 0600 | 01000) or last; $n++ } open_if("$n sets", $n > 80);'),
    ends: ['out-of-memory', 'exited'],
  },
  {
    row: 3,
    name: 'memory of messages that nobody takes',
    program: () =>
      perl(
        'my $b = 0; for (1..32000) { my $id = msgget(0, 0600 | 01000); defined $id or last; for (1..2) { $b += 8000 if msgsnd($id, pack("l! a*", 1, "x" x 8000), 04000) } } open_if("$b bytes", $b > 100e6);',
      ),
    ends: ['out-of-memory', 'exited'],
  },
  {
    row: 3,
    name: 'memory of pipes that nobody reads',
    program: () =>
      perl(
        `${fill} for (1..200) { unless (fork) { my @k; for (1..400) { pipe(my $r, my $w) or last; push @k, $r, $w; fill($w) } sleep 99 } } sleep 99;`,
      ),
    ends: outOfMemory,
  },
  {
    row: 3,
    name: 'memory of sockets that nobody reads',
    program: () =>
      perl(
        `use Socket; ${fill} for (1..20) { unless (fork) { my @k; for (1..450) { socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM, 0) or last; push @k, $a, $b; fill($a); fill($b) } sleep 99 } } sleep 99;`,
      ),
    ends: outOfMemory,
  },
  {
    row: 3,
    name: 'memory of connections to itself',
    program: () =>
      perl(
        `use Socket; ${fill} for (1..10) { unless (fork) { my @k; socket(my $l, AF_INET, SOCK_STREAM, 0); bind($l, pack_sockaddr_in(0, INADDR_LOOPBACK)); listen($l, 500); my $to = getsockname $l;
  for (1..400) { socket(my $s, AF_INET, SOCK_STREAM, 0) or last; connect($s, $to) or last; accept(my $c, $l) or last; push @k, $s, $c; fill($s) } sleep 99 } } sleep 99;`,
      ),
    ends: outOfMemory,
  },
  {
    row: 7,
    name: 'attributes of files',
    program: (_, on) =>
      perl(
        String.raw`my $all = 0; my $v = "x" x 60000; F: for my $f (1..4000) { open(my $h, ">", "x$f") or last; for my $i (1..200) { my ($p, $n) = ("x$f\0", "user.a$i\0"); last if syscall(${setXattr[on]}, $p, $n, $v, 60000, 0) != 0; $all += 60000; last F if $all > 4e8 } } open_if("$all bytes", $all > 100e6);`,
      ),
    ends: ['out-of-memory', 'exited'],
  },
  {
    row: 15,
    name: 'a program without a name',
    program: (_, on) =>
      perl(
        String.raw`my $n = "x\0"; my $fd = syscall(${memfdCreate[on]}, $n, 0); open(my $h, ">&=", $fd); open(my $s, "<", "/bin/sh"); { local $/; syswrite($h, <$s>) } my $t = qx(/proc/$$/fd/$fd -c "cat /proc/self/status"); open_if("without a filter", $t ne "" && $t !~ /^Seccomp:\s+2$/m); open_if("with rights", $t =~ /^CapEff:\s+0*[1-9a-f]/m);`,
      ),
    ends: exited,
  },
  {
    row: 16,
    name: 'looks into the kernel',
    program: () =>
      perl(
        String.raw`for my $f (qw(${looks})) { if (open(my $h, "<", $f)) { open_if($f, sysread($h, my $b, 9)) } if (opendir(my $d, $f)) { open_if("listed $f", grep { !/^\./ } readdir $d) } } for my $f ("/proc/kallsyms", "/proc/iomem", "/proc/ioports") { open(my $k, "<", $f) or next; open_if("addresses of $f", grep { /^\s*[0-]*[1-9a-f]+[0-9a-f-]* / } <$k>) }`,
      ),
    ends: exited,
  },
  {
    row: 17,
    name: 'every number that a process can have',
    // The engine begins what watches over a container in several steps, some of which may still be there.
    program: (_, __, kind) =>
      perl(
        `my @there; for (1..70000) { push @there, $_ if kill(0, $_) || $!+0 == 1 } open_if("@there", @there > ${kind === 'docker' ? 12 : 2});`,
      ),
    ends: exited,
  },
  {
    row: 17,
    name: 'limits of what watches over it',
    program: (_, on) =>
      perl(
        `my $none = pack("QQ", 0, 0); for my $p (1..60) { next if $p == $$ || !-e "/proc/$p"; syscall(${setLimits[on]}, $p, $_, $none, 0) for 0..15 }`,
      ),
    ends: exited,
  },
  {
    row: 27,
    name: 'stops what watches over it',
    program: () => perl('kill("STOP", getppid); kill("STOP", -1); for my $p (1..400) { kill("STOP", $p) unless $p == $$ }'),
    ends: ['exited', 'timeout'],
    timeout_ms: 1500,
  },
  {
    row: 28,
    name: 'closes its channels and goes on',
    program: () => perl('close $_ for (*STDIN, *STDOUT, *STDERR); sleep 1 while 1;'),
    ends: ['timeout'],
    timeout_ms: 700,
  },
]
