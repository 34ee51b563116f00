import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { auditArchitectures, seccompFilter, verdicts } from './seccomp-filter.ts'
import { architectures, deniedCalls, examinedCalls, firstNewerCall, newerCalls, numberOn } from './syscalls.ts'

/** What a filter answers, by running its instructions as the kernel does. */
function answer(filter: Uint8Array, architecture: number, call: number, args: readonly number[] = []): number {
  const program = new DataView(filter.buffer)
  const data = new DataView(new ArrayBuffer(64))
  data.setUint32(0, call, true)
  data.setUint32(4, architecture, true)
  for (const [index, value] of args.entries()) data.setUint32(16 + 8 * index, value, true)
  let loaded = 0
  for (let at = 0; ; at += 8) {
    const [code, jt, jf, k] = [
      program.getUint16(at, true),
      program.getUint8(at + 2),
      program.getUint8(at + 3),
      program.getUint32(at + 4, true),
    ]
    if (code === 0x20) loaded = data.getUint32(k, true)
    else if (code === 0x06) return k
    else {
      const met = code === 0x15 ? loaded === k : code === 0x35 ? loaded >= k : (loaded & k) !== 0
      at += 8 * (met ? jt : jf)
    }
  }
}

for (const architecture of architectures) {
  const filter = seccompFilter(architecture)
  const audit = auditArchitectures[architecture]
  const on = (call: number, ...args: number[]) => answer(filter, audit, call, args)
  const examined = (name: keyof typeof examinedCalls, ...args: number[]) => on(numberOn(architecture, examinedCalls[name])!, ...args)

  test(`[SBX24] ${architecture}: what is denied is refused, what is unknown is not there, everything else is`, () => {
    const denied = new Set(Object.values(deniedCalls).flatMap((numbers) => numberOn(architecture, numbers) ?? []))
    const looked = new Set(
      Object.keys(examinedCalls).map((name) => numberOn(architecture, examinedCalls[name as keyof typeof examinedCalls])),
    )
    const newer = new Set(Object.values(newerCalls))
    for (let call = 0; call < 1200; call++) {
      if (looked.has(call)) continue
      const wanted = denied.has(call)
        ? verdicts.notPermitted
        : call < firstNewerCall || newer.has(call)
          ? verdicts.allow
          : verdicts.noSuchCall
      expect([call, on(call)]).toEqual([call, wanted])
    }
  })

  test(`[SBX24] ${architecture}: calls are looked into, and those of another machine's ABI kill`, () => {
    expect(examined('clone', 0x0001_1200)).toBe(verdicts.allow)
    for (const flag of [0x80, 0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000, 0x1000_0000, 0x2000_0000, 0x4000_0000])
      expect([flag, examined('clone', flag | 17)]).toEqual([flag, verdicts.notPermitted])
    expect([0x5401, 0x5412, 0x541c].map((request) => examined('ioctl', 0, request))).toEqual([
      verdicts.allow,
      verdicts.notPermitted,
      verdicts.notPermitted,
    ])
    const families = Array.from({ length: 46 }, (_, family) => family)
    for (const call of ['socket', 'socketpair'] as const)
      expect(families.filter((family) => examined(call, family) === verdicts.allow)).toEqual([1, 2, 10])
    expect([0, 8, 0x4_0000, 0xffff_ffff].map((persona) => examined('personality', persona) === verdicts.allow)).toEqual([
      true,
      false,
      true,
      true,
    ])
    for (const other of [
      0x4000_0003,
      0x4000_0028,
      0,
      ...architectures.filter((one) => one !== architecture).map((one) => auditArchitectures[one]),
    ])
      expect(answer(filter, other, 1)).toBe(verdicts.kill)
    if (architecture === 'x64') expect(on(0x4000_0001)).toBe(verdicts.noSuchCall)
    expect(filter.length / 8).toBeLessThan(4096)
  })

  const header = { x64: '/usr/include/x86_64-linux-gnu/asm/unistd_64.h', arm64: '/usr/include/asm-generic/unistd.h' }[architecture]
  test(`[SBX24] ${architecture}: the numbers are Linux's`, (context) => {
    context.skip(!existsSync(header), `no headers of Linux at ${header}`)
    const text = readFileSync(header, 'utf8')
    const linux = new Map([...text.matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)$/gm)].map(([, name, number]) => [name!, Number(number)]))
    const ours = Object.entries({ ...deniedCalls, ...examinedCalls }).map(
      ([name, numbers]) => [name, numberOn(architecture, numbers)] as const,
    )
    for (const [name, number] of [...ours, ...Object.entries(newerCalls)]) expect([name, number]).toEqual([name, linux.get(name) ?? null])
  })
}
