import { type Attack, exited, perl, refusedNumbers, sh } from './attacks.ts'
import { type Architecture, deniedCalls, examinedCalls, numberOn } from './bubblewrap/syscalls.ts'

/** The number of a call, for programs. */
const call = (name: string, architecture: Architecture): number => {
  const numbers = deniedCalls[name] ?? (examinedCalls as Record<string, readonly [number, number]>)[name]
  return (numbers && numberOn(architecture, numbers)) ?? -1
}
/** `clone3`, on every machine. */
const clone3 = 435

const noGroups = 'open_if($_, -e $_) for ("/sys/fs/cgroup", "/sys", "/cgroup");'
/** Groups may be seen, and neither written to nor made. */
const closedGroups = `for my $g (glob("/sys/fs/cgroup /sys/fs/cgroup/*")) { open_if("mkdir in $g", mkdir("$g/mine"));
for my $f ("cgroup.procs", "tasks", "release_agent", "notify_on_release", "devices.allow", "memory.limit_in_bytes", "memory.max", "pids.max", "cgroup.subtree_control") { open(my $h, ">>", "$g/$f") and open_if("$g/$f", syswrite($h, "0")) } }`

/** Attacks on the kernel and on what watches over a program. */
export const kernelAttacks: readonly Attack[] = [
  {
    row: 16,
    name: 'switches of the kernel',
    program: () =>
      perl(`for my $f ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/hostname", "/proc/sys/vm/drop_caches", "/proc/sys/net/ipv4/ip_forward", "/proc/sysrq-trigger", "/proc/sys/fs/binfmt_misc/register", "/proc/irq/0/smp_affinity", "/sys/power/state", "/sys/kernel/uevent_helper") {
  open(my $h, ">>", $f) and open_if($f, 1) } open(my $o, ">", "/proc/self/oom_score_adj") and open_if("safe from want of memory", syswrite($o, "-999"));`),
    ends: exited,
  },
  {
    row: 17,
    name: 'signals and looks at other processes',
    program: (_, on, kind) =>
      perl(String.raw`$SIG{TERM} = "IGNORE"; kill(15, -1); opendir(my $d, "/proc"); my @pids = grep { /^\d+$/ } readdir $d; open_if("@pids", @pids > ${kind === 'docker' ? 6 : 4});
refused("ptrace", ${call('ptrace', on)}, 16, 1, 0, 0); refused("process_vm_readv", ${call('process_vm_readv', on)}, 1, 0, 0, 0, 0, 0); refused("pidfd_getfd", ${call('pidfd_getfd', on)}, 0, 0, 0); refused("kcmp", ${call('kcmp', on)}, 1, 1, 0, 0, 0);`),
    ends: exited,
  },
  {
    row: 18,
    name: 'rights of files',
    program: () =>
      perl(String.raw`open(my $s, "<", "/proc/self/status"); my $t = join "", <$s>; open_if("new privileges", $t !~ /^NoNewPrivs:\s+1$/m); open_if("capabilities", $t =~ /^Cap\w+:\s+0*[1-9a-f]/m);
system("cp /usr/bin/id ./id && chmod 4755 ./id"); open_if("setuid", qx(./id) =~ /euid/); open_if("root", qx(./id -u) == 0); for my $f (qw(/usr/bin/su /usr/bin/mount /usr/bin/passwd)) { next unless -x $f; open_if($f, qx($f --version </dev/null 2>&1; id -u) =~ /^0$/m) }
open_if("owner", chown(0, 0, "id")); $> = 0; $< = 0; open_if("uid 0", $> == 0 || $< == 0);`),
    ends: exited,
  },
  {
    row: 19,
    name: 'namespaces of its own',
    program: (_, on) =>
      perl(`refused("unshare $_", ${call('unshare', on)}, $_) for (0x10000000, 0x00020000, 0x20000000, 0x40000000, 0x08000000, 0x04000000, 0x02000000, 0x00000080);
refused("clone $_", ${call('clone', on)}, $_ | 17, 0, 0, 0, 0) for (0x10000000, 0x10020000, 0x40000000); refused("clone3", ${clone3}, 0, 0); refused("setns", ${call('setns', on)}, 0, 0);
open_if("unshare", system("unshare -Ur true 2>/dev/null") == 0);`),
    ends: exited,
  },
  {
    row: 20,
    name: 'mounts',
    program: (_, on) =>
      perl(`my ($t, $a, $b) = ("tmpfs\\0", "/tmp\\0", "/usr\\0"); refused("mount", ${call('mount', on)}, $t, $a, $t, 0, 0); refused("remount", ${call('mount', on)}, $t, $b, $t, 32, 0); refused("bind", ${call('mount', on)}, $a, $b, $t, 4096, 0);
refused("umount", ${call('umount2', on)}, $b, 2); refused("pivot_root", ${call('pivot_root', on)}, $a, $a); refused("chroot", ${call('chroot', on)}, $a); refused("fsopen", ${call('fsopen', on)}, $t, 0); refused("open_tree", ${call('open_tree', on)}, -100, $b, 1);
for my $d ("/", "/usr", "/usr/bin", "/usr/local", "/etc", "/dev", "/proc", "/sys", "/lib", "/var", "/run") { open_if($d, open(my $f, ">", "$d/x")); open_if("mkdir $d", mkdir("$d/y")) }`),
    ends: exited,
  },
  {
    row: 21,
    name: 'devices',
    program: () =>
      perl(`for my $d ("/dev/mem", "/dev/kmsg", "/dev/fuse", "/dev/kvm", "/dev/loop-control", "/dev/loop0", "/dev/sda", "/dev/vda", "/dev/net/tun", "/dev/snd", "/dev/mapper", "/dev/vsock", "/dev/vhost-net") { open_if($d, -e $d) }
for my $n ("b 254 0", "b 8 0", "c 1 1", "c 10 229", "c 5 1") { system("mknod node $n 2>/dev/null"); open_if("node $n", -b "node" || -c "node" and open(my $f, "<", "node")); unlink "node" }`),
    ends: exited,
  },
  {
    row: 22,
    name: 'keyrings of the kernel',
    program: (_, on) =>
      perl(
        `my ($t, $n) = ("user\\0", "name\\0"); refused("add_key", ${call('add_key', on)}, $t, $n, "x", 1, -3); refused("request_key", ${call('request_key', on)}, $t, $n, 0, -3); refused("keyctl $_", ${call('keyctl', on)}, $_, -3, 0, 0, 0) for 0..32;`,
      ),
    ends: exited,
  },
  {
    row: 23,
    name: 'every call that is denied or unknown',
    program: (_, on) => perl(`refused("call $_", $_, 0, 0, 0, 0, 0, 0) for (${refusedNumbers(on).join(', ')}, 600, 1000, 2000000);`),
    ends: exited,
  },
  {
    row: 23,
    name: 'input for terminals, other personalities',
    program: (_, on) =>
      perl(
        `my $c = "x"; refused("TIOCSTI", ${call('ioctl', on)}, 0, 0x5412, $c); refused("TIOCLINUX", ${call('ioctl', on)}, 0, 0x541c, $c); refused("personality", ${call('personality', on)}, $_) for (8, 0x0100000, 0x0400000); open_if("terminal", open(my $t, "+<", "/dev/tty"));`,
      ),
    ends: exited,
  },
  {
    row: 23,
    name: 'calls by the ABIs of 32-bit x86 and x32',
    // A program whose whole code is exit(42) by interrupt 0x80: it ends with that number only where the call was heard. By x32 getpid has an answer.
    program: () =>
      perl(String.raw`my $code = "\xb8\x01\0\0\0\xbb\x2a\0\0\0\xcd\x80"; my $size = 84 + length $code;
open(my $f, ">", "program"); print $f "\x7fELF\x01\x01\x01", "\0" x 9, pack("vvVVVVVvvvvvv", 2, 3, 1, 0x08048054, 52, 0, 0, 52, 32, 1, 0, 0, 0), pack("V8", 1, 0, 0x08048000, 0x08048000, $size, $size, 5, 4096), $code; close $f;
chmod 0755, "program"; open_if("32-bit call", system("./program") >> 8 == 42); unless (fork) { exit(syscall(0x40000027) > 0 ? 43 : 0) } wait; open_if("x32 call", $? >> 8 == 43);`),
    ends: exited,
  },
  {
    row: 24,
    name: 'control groups',
    program: (_, on, kind) =>
      perl(
        `my ($t, $a) = ("cgroup\\0", "/tmp\\0"); refused("mount", ${call('mount', on)}, $t, $a, $t, 0, 0); ${kind === 'docker' ? closedGroups : noGroups} open(my $c, "<", "/proc/self/cgroup"); open_if("path $_", m{chutes}) for <$c>;`,
      ),
    ends: exited,
  },
  {
    row: 25,
    name: 'sockets of services',
    program: () =>
      sh('find / -xdev -type s 2>/dev/null | sed "s/^/OPEN /"; find /dev /tmp /workspace /run /var -type s 2>/dev/null | sed "s/^/OPEN /"'),
    ends: exited,
  },
  {
    row: 26,
    name: 'daemons by every way that starts one',
    program: () =>
      sh(
        '(setsid nohup sleep 999 >/dev/null 2>&1 &) ; for t in crontab at systemd-run tmux; do echo true | timeout 2 $t - >/dev/null 2>&1; done; ls /var/spool /run/systemd >/dev/null 2>&1 && echo OPEN',
      ),
    ends: exited,
  },
  {
    row: 27,
    name: 'time bomb that hears no signal, stops itself and forks on',
    program: () =>
      perl(
        '$SIG{$_} = "IGNORE" for qw(TERM HUP INT QUIT USR1 ALRM); unless (fork) { kill(19, $$) } unless (fork) { for (1..5000) { my $p = fork; exit if $p } } sleep 1 while 1;',
      ),
    ends: ['timeout'],
    timeout_ms: 700,
  },
  { row: 28, name: 'the first ends, a child keeps its channels', program: () => sh('sleep 999 & sleep 999 >/dev/null &'), ends: exited },
  {
    row: 38,
    name: 'forged word of its end',
    program: () =>
      perl(
        String.raw`for my $f (3..20) { open(my $h, ">&=", $f) and syswrite($h, qq({ "exit-code": 0 }\n)) } for my $p (1, getppid) { open(my $h, ">", "/proc/$p/fd/$_") and open_if("descriptor $_ of $p", $_ > 2 && readlink("/proc/$p/fd/$_") ne "/dev/null") for 0..20 }`,
      ),
    ends: exited,
  },
]
