import type { TaskManifest } from '../../episode/task-manifest.ts'

/** Tasks of Artificial Analysis' "Terminal-Bench Hard", in the order of their names. */
const tbh44 = [
  'aimo-airline-departures',
  'blind-maze-explorer-5x5',
  'cartpole-rl-training',
  'chem-property-targeting',
  'chem-rf',
  'circuit-fibsqrt',
  'cobol-modernization',
  'configure-git-webserver',
  'cross-entropy-method',
  'extract-moves-from-video',
  'feal-differential-cryptanalysis',
  'feal-linear-cryptanalysis',
  'form-filling',
  'git-multibranch',
  'gpt2-codegolf',
  'install-windows-xp',
  'make-doom-for-mips',
  'make-mips-interpreter',
  'model-extraction-relu-logits',
  'movie-helper',
  'neuron-to-jaxley-conversion',
  'oom',
  'organization-json-generator',
  'parallel-particle-simulator',
  'parallelize-graph',
  'password-recovery',
  'path-tracing',
  'path-tracing-reverse',
  'play-zork',
  'play-zork-easy',
  'polyglot-rust-c',
  'prove-plus-comm',
  'pytorch-model-cli',
  'rare-mineral-allocation',
  'recover-obfuscated-files',
  'reverse-engineering',
  'run-pdp11-code',
  'stable-parallel-kmeans',
  'super-benchmark-upet',
  'swe-bench-astropy-1',
  'swe-bench-astropy-2',
  'train-fasttext',
  'word2vec-from-scratch',
  'write-compressor',
]

/** All tasks whose `task.yaml` says `difficulty: hard` at the pinned commit. Never derived from a column of a copy, which may have moved. */
const tbh48 = [...tbh44, 'causal-inference-r', 'install-windows-3.11', 'lean4-proof', 'mcmc-sampling-stan'].sort()

const lists = { 'tbh-44': tbh44, 'tbh-47': tbh48.filter((task) => task !== 'super-benchmark-upet'), 'tbh-48': tbh48 } as const
export type ListName = keyof typeof lists

export const sizeOf = (list: ListName): number => lists[list].length

/** The tasks of a list in their order. The archive's own hash says which files they are. */
export const manifestOf = (list: ListName): TaskManifest => ({
  whole: false,
  digests: Object.fromEntries(lists[list].map((task) => [task, null])),
})

/** Tasks whose own solution fails, so that nobody is known to be able to solve them: 40 of the 44 are left. */
export const unsolved: ReadonlySet<string> = new Set([
  'feal-differential-cryptanalysis',
  'install-windows-xp',
  'make-doom-for-mips',
  'run-pdp11-code',
])
