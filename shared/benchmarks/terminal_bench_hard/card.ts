import { defineCard } from '../define-card.ts'
import { allTasks, profiles } from './profiles.ts'

/** The commit of the first Terminal-Bench from which all lists of "hard" tasks are taken. */
const source = { repo: 'harbor-framework/terminal-bench-1', revision: '74221fb0b6b5a7f88e53bed5726edaaf236348c9' }

export const card = defineCard({
  name: 'terminal_bench_hard',
  display_name: 'Terminal-Bench Hard',
  description:
    'Hard tasks of the first Terminal-Bench, each in a machine of its own: ciphers, emulators, compressors, proofs, servers. What a terminal shows of its tests decides.',
  category: 'Agents',
  version: 1,
  fingerprint: '68b99d0a8a0c7c576fa24f77b6ffe4ccbba85d160a8ee18b69e0b9a7f7d598ff',
  evidence: 'reward',
  data: {
    ...source,
    licence: 'Apache-2.0',
    gated: false,
    files: [
      {
        role: 'test',
        path: `terminal-bench-1-${source.revision}.tar.gz!/tasks`,
        sha256: '3211a056b2951a9d3db7a7af7d1e89295f46774a8135fd67581e9ccc5b753836',
        rows: allTasks,
        from: { ...source, host: 'github' },
      },
    ],
  },
  total_items: allTasks,
  sample_items: 30,
  group_label: 'Category',
  profiles,
  default_profile: 'tbh-44',
  default_selected: false,
  metrics: ['accuracy', 'pass_at_k', 'accuracy_without_errata', 'flip_rate', 'accuracy_worst_case', 'accuracy_best_case'],
  needs: {
    sandbox: { kinds: ['machine'], cpus: 1, memory_mb: 2048, disk_mb: 1024, images: [], network: true },
    timing_sensitive: false,
    typical_seconds: 900,
  },
  estimate: { input_tokens: 500_000, output_tokens: 15_000 },
  fields: [
    { path: 'task', label: 'Task', as: 'text' },
    { path: 'difficulty', label: 'Difficulty', as: 'text' },
    { path: 'errata', label: 'Its own solution fails', as: 'text' },
    { path: 'agent_timeout_s', label: 'Time for the agent in seconds', as: 'number' },
    { path: 'verifier_timeout_s', label: 'Time for the tests in seconds', as: 'number' },
    { path: 'not_runnable', label: 'Cannot run here', as: 'text' },
  ],
  setup_notes:
    'An agent needs a Docker engine that can reach the internet: each image is built from its task, which takes minutes and downloads what it needs, and tests download their tools.',
})
