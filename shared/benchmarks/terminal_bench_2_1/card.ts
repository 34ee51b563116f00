import { terminalProfiles } from '../../episode/terminal-profiles.ts'
import { defineCard } from '../define-card.ts'

/** The release that is followed. */
const source = { repo: 'harbor-framework/terminal-bench-2-1', revision: '5c8eadf1f393183288fa08b8f73ca9a469cc5e00' }

/** Attempts at each task that the leaderboard asks for. */
const attempts = 5
const asksModel = (id: string): boolean => id !== 'oracle' && id !== 'nop'

export const card = defineCard({
  name: 'terminal_bench_2_1',
  display_name: 'Terminal-Bench 2.1',
  description:
    '89 tasks at a terminal, each in a machine of its own: programs to build, data to recover, systems to set up. Its tests decide.',
  category: 'Agents',
  version: 1,
  fingerprint: 'b7595773be5ea636a5dd6052a981761415803f4fdda383261b3c7da99f8fc1b9',
  evidence: 'reward',
  data: {
    ...source,
    licence: 'Apache-2.0',
    gated: false,
    files: [
      {
        role: 'test',
        path: `terminal-bench-2-1-${source.revision}.tar.gz!/tasks`,
        sha256: 'f9298006a7462a0b933c880aed8494c8c7b68ea4f97d792460f1bdffff2e6620',
        rows: 89,
        from: { ...source, host: 'github' },
      },
    ],
  },
  total_items: 89,
  sample_items: 30,
  group_label: 'Category',
  profiles: terminalProfiles.map((profile) => ({ ...profile, epochs: asksModel(profile.id) ? attempts : 1 })),
  default_profile: 'terminus-2',
  default_selected: false,
  metrics: ['accuracy', 'pass_at_k', 'pass_hat_k', 'flip_rate', 'accuracy_worst_case', 'accuracy_best_case'],
  needs: {
    sandbox: { kinds: ['machine'], cpus: 1, memory_mb: 2048, disk_mb: 1024, images: [], network: true },
    timing_sensitive: false,
    typical_seconds: 900,
  },
  estimate: { input_tokens: 400_000, output_tokens: 15_000 },
  fields: [
    { path: 'task', label: 'Task', as: 'text' },
    { path: 'difficulty', label: 'Difficulty', as: 'text' },
    { path: 'image', label: 'Image', as: 'text' },
    { path: 'cpus', label: 'CPUs', as: 'number' },
    { path: 'memory_mb', label: 'Memory in MB', as: 'number' },
    { path: 'agent_timeout_s', label: 'Time for the agent in seconds', as: 'number' },
    { path: 'verifier_timeout_s', label: 'Time for the tests in seconds', as: 'number' },
    { path: 'not_runnable', label: 'Cannot run here', as: 'text' },
  ],
  setup_notes:
    'An agent needs a Docker engine and a login at Docker Hub: each task has an image of its own, 0.2 to 10 GB. Tests download their tools, so machines need the internet. 14 tasks measure speed or size: do not run them on a host that is busy.',
})
