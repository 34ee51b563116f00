import { type Architecture, deniedCalls, examinedCalls, firstNewerCall, newerCalls, numberOn } from './syscalls.ts'

/** What a filter answers: words of linux/seccomp.h, the lower half an error number. */
export const verdicts = {
  allow: 0x7fff_0000,
  kill: 0x8000_0000,
  notPermitted: 0x0005_0001,
  noSuchCall: 0x0005_0026,
  noSuchFamily: 0x0005_0061,
} as const

/** `AUDIT_ARCH_X86_64` and `AUDIT_ARCH_AARCH64` of linux/audit.h. */
export const auditArchitectures: Readonly<Record<Architecture, number>> = { x64: 0xc000_003e, arm64: 0xc000_00b7 }

/** Where `struct seccomp_data` holds what is asked, both machines being little-endian: the lower half of an argument comes first. */
const offsets = { call: 0, architecture: 4, argument: (index: number) => 16 + 8 * index }
/** On x86-64 the bit of the x32 ABI: the same calls under numbers of their own. */
const x32Bit = 0x4000_0000
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME. */
const namespaceFlags = 0x7e02_0080
/** Input pushed into a terminal, and what a console can be told: TIOCSTI and TIOCLINUX. */
const terminalRequests = [0x5412, 0x541c]
/** AF_UNIX, AF_INET and AF_INET6. Of the others AF_VSOCK reaches the host past every network namespace. */
const socketFamilies = [1, 2, 10]
/** PER_LINUX as it is, PER_LINUX without address randomisation (debuggers, sanitizers), and asking which one it is. */
const personalities = [0, 0x0004_0000, 0xffff_ffff]

type Instruction = { code: number; jt: number; jf: number; k: number }
const load = (k: number): Instruction => ({ code: 0x20, jt: 0, jf: 0, k })
const give = (k: number): Instruction => ({ code: 0x06, jt: 0, jf: 0, k })
/** Goes on with the next instruction where the loaded word equals `k` (is at least `k`, shares a bit with `k`), else past `over` of them. */
const unless = (code: 0x15 | 0x35 | 0x45, k: number, over: number): Instruction => ({ code, jt: 0, jf: over, k })
const equals = 0x15
const atLeast = 0x35
const sharesBit = 0x45

/**
 * The filter for programs in a sandbox, as the bytes that seccomp(2) takes: `struct sock_filter` after `struct sock_filter`. A call of another
 * machine's ABI kills the program; what is denied is refused as it would be for want of rights; calls we do not know do not exist.
 */
export function seccompFilter(architecture: Architecture): Uint8Array {
  const on = (name: keyof typeof examinedCalls): number => numberOn(architecture, examinedCalls[name])!
  const program = [
    load(offsets.architecture),
    { code: equals, jt: 1, jf: 0, k: auditArchitectures[architecture] },
    give(verdicts.kill),
    load(offsets.call),
    ...(architecture === 'x64' ? answer(atLeast, x32Bit, verdicts.noSuchCall) : []),
    ...Object.values(deniedCalls).flatMap((numbers) => {
      const number = numberOn(architecture, numbers)
      return number === null ? [] : answer(equals, number, verdicts.notPermitted)
    }),
    ...Object.values(newerCalls).flatMap((number) => answer(equals, number, verdicts.allow)),
    ...answer(atLeast, firstNewerCall, verdicts.noSuchCall),
    ...examine(on('clone'), 0, [...answer(sharesBit, namespaceFlags, verdicts.notPermitted), give(verdicts.allow)]),
    ...examine(on('ioctl'), 1, [
      ...terminalRequests.flatMap((request) => answer(equals, request, verdicts.notPermitted)),
      give(verdicts.allow),
    ]),
    ...examine(on('socket'), 0, onlyThese(socketFamilies, verdicts.noSuchFamily)),
    ...examine(on('socketpair'), 0, onlyThese(socketFamilies, verdicts.noSuchFamily)),
    ...examine(on('personality'), 0, onlyThese(personalities, verdicts.notPermitted)),
    give(verdicts.allow),
  ]
  return encode(program)
}

const answer = (code: 0x15 | 0x35 | 0x45, k: number, verdict: number): Instruction[] => [unless(code, k, 1), give(verdict)]
const examine = (call: number, argument: number, inside: readonly Instruction[]): Instruction[] => [
  unless(equals, call, inside.length + 1),
  load(offsets.argument(argument)),
  ...inside,
]
const onlyThese = (values: readonly number[], otherwise: number): Instruction[] => [
  ...values.flatMap((value) => answer(equals, value, verdicts.allow)),
  give(otherwise),
]

function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new Uint8Array(program.length * 8)
  const view = new DataView(bytes.buffer)
  for (const [index, { code, jt, jf, k }] of program.entries()) {
    view.setUint16(index * 8, code, true)
    view.setUint8(index * 8 + 2, jt)
    view.setUint8(index * 8 + 3, jf)
    view.setUint32(index * 8 + 4, k, true)
  }
  return bytes
}
