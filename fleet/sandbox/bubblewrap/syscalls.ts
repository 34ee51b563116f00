/** The machines whose system calls we know: Node's `process.arch`. */
export const architectures = ['x64', 'arm64'] as const
export type Architecture = (typeof architectures)[number]

/** A system call's number on x86-64 and on 64-bit ARM; null where that machine has none. Source: Linux's unistd.h of either. */
type Numbers = readonly [x64: number | null, arm64: number | null]

/**
 * What no program in a sandbox is given: other namespaces, mounts, modules, clocks, keys that sandboxes would share, memory and descriptors of
 * other processes, disks that others wait for, and parts of the kernel that few programs use and many holes were found in.
 */
export const deniedCalls: Readonly<Record<string, Numbers>> = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  afs_syscall: [183, null],
  bpf: [321, 280],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  create_module: [174, null],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  finit_module: [313, 273],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  get_kernel_syms: [177, null],
  get_mempolicy: [239, 236],
  getpmsg: [181, null],
  init_module: [175, 105],
  io_setup: [206, 0],
  io_submit: [209, 2],
  io_destroy: [207, 1],
  io_cancel: [210, 3],
  io_getevents: [208, 4],
  io_pgetevents: [333, 292],
  ioperm: [173, null],
  iopl: [172, null],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  lookup_dcookie: [212, 18],
  mbind: [237, 235],
  migrate_pages: [256, 238],
  modify_ldt: [154, null],
  mount: [165, 40],
  move_mount: [429, 429],
  move_pages: [279, 239],
  name_to_handle_at: [303, 264],
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  process_madvise: [440, 440],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  putpmsg: [182, null],
  query_module: [178, null],
  quotactl: [179, 60],
  reboot: [169, 142],
  request_key: [249, 218],
  security: [185, null],
  set_mempolicy: [238, 237],
  setdomainname: [171, 162],
  sethostname: [170, 161],
  setns: [308, 268],
  settimeofday: [164, 170],
  swapoff: [168, 225],
  swapon: [167, 224],
  sync: [162, 81],
  syncfs: [306, 267],
  sysfs: [139, null],
  syslog: [103, 116],
  tuxcall: [184, null],
  umount2: [166, 39],
  unshare: [272, 97],
  uselib: [134, null],
  userfaultfd: [323, 282],
  ustat: [136, null],
  vhangup: [153, 58],
  vmsplice: [278, 75],
  vserver: [236, null],
  _sysctl: [156, null],
}

/** Calls from here on are newer than what programs need: they are answered as an older kernel would, unless they are among `newerCalls`. */
export const firstNewerCall = 424
/** Newer calls that C libraries and runtimes use: harmless forms of older ones. Their numbers are the same on every machine. */
export const newerCalls: Readonly<Record<string, number>> = {
  pidfd_send_signal: 424,
  pidfd_open: 434,
  close_range: 436,
  openat2: 437,
  faccessat2: 439,
  epoll_pwait2: 441,
  futex_waitv: 449,
}

/** Calls that are looked into: what they may do hangs on their arguments. */
export const examinedCalls = {
  clone: [56, 220],
  ioctl: [16, 29],
  socket: [41, 198],
  socketpair: [53, 199],
  personality: [135, 92],
} as const satisfies Record<string, Numbers>

/** The number of a call on a machine; null where the machine has no such call. */
export const numberOn = (architecture: Architecture, numbers: Numbers): number | null =>
  numbers[architectures.indexOf(architecture)] ?? null
