import { equal } from 'node:assert/strict'
import type { Architecture } from '../sandbox/bubblewrap/syscalls.ts'
import { deniedCalls, numberOn } from '../sandbox/bubblewrap/syscalls.ts'
import { plantCanary, searchScript } from '../sandbox/planted-canary.ts'
import { type MachineRule, opened, run, textOf } from './machine.contract.ts'

const on = process.arch as Architecture
const numberOf = (name: string): number => numberOn(on, deniedCalls[name]!) ?? -1
/** Numbers of `io_uring_setup`, `io_uring_enter`, `io_uring_register` and `clone3`, the same on every machine. */
const rings = [425, 426, 427, 435]
const refused = [
  'bpf',
  'perf_event_open',
  'mount',
  'umount2',
  'unshare',
  'setns',
  'add_key',
  'keyctl',
  'request_key',
  'kexec_load',
  'userfaultfd',
  'open_by_handle_at',
  'move_mount',
  'fsopen',
  'swapon',
  'init_module',
  'quotactl',
  'acct',
] as const

/** A program that says every call that is not refused, with EPERM or as a call that is not there, and what work at a terminal needs and has not. */
const program = String.raw`no warnings; $| = 1;
sub refused { my ($what, $number, $as, @with) = @_; $! = 0; my $got = syscall($number, @with); print "OPEN $what: $got, $!\n" unless $got == -1 && $!+0 == $as }
refused("ring $_", $_, 38, 8, 0) for (${rings.join(', ')});
${refused.map((name) => `refused("${name}", ${numberOf(name)}, 1, 0, 0, 0, 0, 0);`).join('\n')}
use Socket; print "OPEN family $_\n" for grep { socket(my $s, $_, SOCK_STREAM, 0) || $!+0 == 22 } (38, 40);
print "MISSING netlink: $!\n" unless socket(my $n, 16, SOCK_RAW, 0);
my $traced = fork; unless ($traced) { exit(syscall(${numberOf('ptrace')}, 0, 0, 0, 0) == 0 ? 0 : 1) } waitpid($traced, 0); print "MISSING trace\n" if $?;
my $rooted = fork; unless ($rooted) { exit(chroot("/tmp") ? 0 : 1) } waitpid($rooted, 0); print "MISSING chroot\n" if $?;
print "done\n";`

/** What the kernel and the host are for a machine, besides `machineContract`. */
export const machineSystemContract: readonly MachineRule[] = [
  {
    rule: 'MACH370',
    name: 'calls of the kernel that reach past a machine are refused by our own filter; debuggers, chroots and lists of interfaces work',
    check: async (open) => {
      await using box = await opened(open)
      const { end, exit_code, head } = await box.exec({
        argv: ['perl', '-e', program],
        timeout_ms: 30_000,
        head_bytes: 65_536,
        tail_bytes: 0,
      })
      equal(new TextDecoder().decode(head), 'done\n', `${end} ${exit_code}`)
    },
  },
  {
    rule: 'MACH371',
    name: 'nothing of the program, its data or a file planted beside them is seen in a machine',
    check: async (open) => {
      await using box = await opened(open)
      using canary = plantCanary()
      equal(textOf(await run(box, searchScript(canary, false))), 'searched\n')
    },
  },
]
