/** A rule of a profile, as Docker and runc know it. Conditions on several arguments hold together; on one argument there is one condition. */
type Rule = {
  names: readonly string[]
  action: string
  errnoRet?: number
  args?: readonly { index: number; value: number; valueTwo: number; op: string }[]
}

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME. */
const namespaceFlags = 0x7e02_0080
/** AF_UNIX, AF_INET and AF_INET6. Of the others AF_VSOCK reaches the host past every network namespace. */
const socketFamilies = [1, 2, 10]
/** PER_LINUX as it is, PER_LINUX without address randomisation, and asking which one it is. */
const personalities = [0, 0x0004_0000, 0xffff_ffff]
/** The kernel takes these arguments as 32 bits, whatever stands above them. */
const word = 0xffff_ffff

/** TIOCSTI and TIOCLINUX, input pushed into a terminal and what a console can be told, differ only in bits 1 to 3. */
const terminalRequests = [0x5412, 0x541c]
const sharedBits = 0x5410
const theirOwnBits = [1, 2, 3]

const allowWhere = (name: string, index: number, mask: number, equals: number): Rule => ({
  names: [name],
  action: 'SCMP_ACT_ALLOW',
  args: [{ index, value: mask, valueTwo: equals, op: 'SCMP_CMP_MASKED_EQ' }],
})

/** Every request of ioctl but `terminalRequests`: one rule for each bit in which it may differ from both, and one for each of their neighbours. */
function ioctlRules(): Rule[] {
  const others = Array.from({ length: 32 }, (_, bit) => bit).filter((bit) => !theirOwnBits.includes(bit))
  const neighbours = Array.from({ length: 8 }, (_, index) => sharedBits + 2 * index).filter(
    (request) => !terminalRequests.includes(request),
  )
  return [
    ...others.map((bit) => allowWhere('ioctl', 1, 2 ** bit, Math.floor(sharedBits / 2 ** bit) % 2 === 0 ? 2 ** bit : 0)),
    ...neighbours.map((request) => allowWhere('ioctl', 1, word, request)),
  ]
}

/** Rules for calls of which only some forms are allowed; the others are refused as all is that has no rule. */
export const examinedRules: readonly Rule[] = [
  allowWhere('clone', 0, namespaceFlags, 0),
  ...['socket', 'socketpair'].flatMap((name) => socketFamilies.map((family) => allowWhere(name, 0, word, family))),
  ...personalities.map((one) => allowWhere('personality', 0, word, one)),
  ...ioctlRules(),
]
