import { deniedCalls } from '../bubblewrap/syscalls.ts'
import { examinedRules } from './examined-rules.ts'

/** Calls that programs have as they are. Source: Linux's unistd.h of both machines without what is denied (`bubblewrap/syscalls.ts`) or new. */
const allowed = `
  accept accept4 access alarm arch_prctl bind brk capget capset chdir chmod chown clock_getres clock_gettime clock_nanosleep close
  close_range connect copy_file_range creat dup dup2 dup3 epoll_create epoll_create1 epoll_ctl epoll_ctl_old epoll_pwait
  epoll_pwait2 epoll_wait epoll_wait_old eventfd eventfd2 execve execveat exit exit_group faccessat faccessat2 fadvise64 fallocate
  fchdir fchmod fchmodat fchown fchownat fcntl fdatasync fgetxattr flistxattr flock fork fremovexattr fsetxattr fstat fstatfs fsync
  ftruncate futex futex_waitv futimesat get_robust_list get_thread_area getcpu getcwd getdents getdents64 getegid geteuid getgid
  getgroups getitimer getpeername getpgid getpgrp getpid getppid getpriority getrandom getresgid getresuid getrlimit getrusage
  getsid getsockname getsockopt gettid gettimeofday getuid getxattr inotify_add_watch inotify_init inotify_init1 inotify_rm_watch
  ioprio_get ioprio_set kill lchown lgetxattr link linkat listen listxattr llistxattr lremovexattr lseek lsetxattr lstat madvise
  membarrier memfd_create mincore mkdir mkdirat mknod mknodat mlock mlock2 mlockall mmap mprotect mq_getsetattr mq_notify mq_open
  mq_timedreceive mq_timedsend mq_unlink mremap msgctl msgget msgrcv msgsnd msync munlock munlockall munmap nanosleep newfstatat
  open openat openat2 pause pidfd_open pidfd_send_signal pipe pipe2 pkey_alloc pkey_free pkey_mprotect poll ppoll prctl pread64
  preadv preadv2 prlimit64 pselect6 pwrite64 pwritev pwritev2 read readahead readlink readlinkat readv recvfrom recvmmsg recvmsg
  remap_file_pages removexattr rename renameat renameat2 restart_syscall rmdir rseq rt_sigaction rt_sigpending rt_sigprocmask
  rt_sigqueueinfo rt_sigreturn rt_sigsuspend rt_sigtimedwait rt_tgsigqueueinfo sched_get_priority_max sched_get_priority_min
  sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity sched_setattr
  sched_setparam sched_setscheduler sched_yield seccomp select semctl semget semop semtimedop sendfile sendmmsg sendmsg sendto
  set_robust_list set_thread_area set_tid_address setfsgid setfsuid setgid setgroups setitimer setpgid setpriority setregid
  setresgid setresuid setreuid setrlimit setsid setsockopt setuid setxattr shmat shmctl shmdt shmget shutdown sigaltstack signalfd
  signalfd4 splice stat statfs statx symlink symlinkat sync sync_file_range sync_file_range2 syncfs sysinfo tee tgkill time
  timer_create timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times tkill
  truncate umask uname unlink unlinkat utime utimensat utimes vfork wait4 waitid write writev
`
  .trim()
  .split(/\s+/)

/** The names of `allowed`, without any that is denied. */
export const namesOfCalls: readonly string[] = allowed.filter((name) => !Object.hasOwn(deniedCalls, name))

/** Denied like others, but asked for by C libraries, which take the older call only where there is no such call: ENOSYS. */
const absent = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register', 'landlock_create_ruleset', 'memfd_secret']

const refuse = 'SCMP_ACT_ERRNO'
const noSuchCall = 38

/**
 * The filter of system calls of a container, as Docker takes it: the same for programs as that of bubblewrap. What is not named is refused, and
 * calls of another machine's ABI kill the program. Docker's own filter lets through asynchronous rings, tracing and 32-bit calls.
 */
export const seccompProfile: string = JSON.stringify({
  defaultAction: refuse,
  archMap: [
    { architecture: 'SCMP_ARCH_X86_64', subArchitectures: [] },
    { architecture: 'SCMP_ARCH_AARCH64', subArchitectures: [] },
  ],
  syscalls: [{ names: namesOfCalls, action: 'SCMP_ACT_ALLOW' }, ...examinedRules, { names: absent, action: refuse, errnoRet: noSuchCall }],
})
