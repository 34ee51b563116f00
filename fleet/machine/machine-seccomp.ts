import { namesOfCalls } from '../sandbox/docker/seccomp-profile.ts'

/**
 * Calls that work at a terminal takes and no program of a sandbox has: debuggers, chroots, asynchronous files of databases, places of memory, kernels of
 * packages in another file system. Each needs a capability that a machine's root has, or reaches nothing beyond the machine.
 */
const ofMachines = `
  chroot fanotify_mark get_mempolicy io_cancel io_destroy io_getevents io_pgetevents io_setup io_submit kcmp landlock_add_rule
  landlock_create_ruleset landlock_restrict_self mbind modify_ldt name_to_handle_at pidfd_getfd process_madvise process_mrelease
  process_vm_readv process_vm_writev ptrace set_mempolicy sync syncfs sysfs ustat vmsplice fchmodat2 cachestat map_shadow_stack
  futex_requeue futex_wait futex_wake
`
/** Names of the same calls on 32-bit x86, whose programs tasks compile and run. */
const of32Bits = `
  _llseek _newselect chown32 clock_adjtime64 clock_getres_time64 clock_gettime64 clock_nanosleep_time64 fadvise64_64 fchown32 fcntl64
  fstat64 fstatat64 fstatfs64 ftruncate64 futex_time64 getegid32 geteuid32 getgid32 getgroups32 getresgid32 getresuid32 getuid32
  io_pgetevents_time64 ipc lchown32 lstat64 mmap2 mq_timedreceive_time64 mq_timedsend_time64 nice ppoll_time64 prlimit
  pselect6_time64 recv recvmmsg_time64 rt_sigtimedwait_time64 sched_rr_get_interval_time64 semtimedop_time64 send sendfile64
  setfsgid32 setfsuid32 setgid32 setgroups32 setregid32 setresgid32 setresuid32 setreuid32 setuid32 sigaction signal sigpending
  sigprocmask sigreturn sigsuspend socketcall stat64 statfs64 timer_gettime64 timer_settime64 timerfd_gettime64 timerfd_settime64
  truncate64 ugetrlimit utimensat_time64 waitpid
`
const listed = (text: string): string[] => text.trim().split(/\s+/)

const noSuchCall = 38
/** Namespaces that a call of clone may not make: CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET and NEWTIME. */
const namespaceFlags = 0x7e02_0080
/** AF_ALG is a part of the kernel that few programs use and many holes were found in; AF_VSOCK reaches the host past every network namespace. */
const refusedFamilies = { first: 38, second: 40 }

/** Linux as it is, with the names of older kernels, without address randomisation as debuggers ask for it, and asking which one it is. */
const personalities = [0, 8, 0x0002_0000, 0x0002_0008, 0x0004_0000, 0xffff_ffff]

const allow = (name: string, condition: object) => ({ names: [name], action: 'SCMP_ACT_ALLOW', args: [{ index: 0, ...condition }] })

/**
 * The filter of system calls of a machine, as Docker takes it. It lets through what Docker's own does for work at a terminal, whichever version the engine has, and
 * refuses asynchronous rings, other namespaces, mounts, modules, keys and what is not known. What C libraries ask for first is answered as by an older kernel.
 */
export const machineSeccomp: string = JSON.stringify({
  defaultAction: 'SCMP_ACT_ERRNO',
  archMap: [
    { architecture: 'SCMP_ARCH_X86_64', subArchitectures: ['SCMP_ARCH_X86'] },
    { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: ['SCMP_ARCH_ARM'] },
  ],
  syscalls: [
    { names: [...namesOfCalls, ...listed(ofMachines), ...listed(of32Bits), 'ioctl', 'socketpair'], action: 'SCMP_ACT_ALLOW' },
    allow('clone', { value: namespaceFlags, valueTwo: 0, op: 'SCMP_CMP_MASKED_EQ' }),
    ...personalities.map((value) => allow('personality', { value, op: 'SCMP_CMP_EQ' })),
    allow('socket', { value: refusedFamilies.first, op: 'SCMP_CMP_LT' }),
    allow('socket', { value: refusedFamilies.second - 1, op: 'SCMP_CMP_EQ' }),
    allow('socket', { value: refusedFamilies.second, op: 'SCMP_CMP_GT' }),
    {
      names: ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'memfd_secret', 'statmount', 'listmount'],
      action: 'SCMP_ACT_ERRNO',
      errnoRet: noSuchCall,
    },
  ],
})
