import { builtinRepo } from '../../contract/card.ts'
import { terminalProfiles } from '../../episode/terminal-profiles.ts'
import { defineCard } from '../define-card.ts'
import { packed } from './packed-tasks.ts'

export const card = defineCard({
  name: 'terminal_tasks',
  display_name: 'Terminal tasks',
  description:
    'Tasks in Harbor’s format, each with a machine of its own: a model works at the terminal, then the task’s tests give a reward.',
  category: 'Agents',
  version: 1,
  fingerprint: 'a795f9a4c36f90c69b08f48b6e6571f3f5f8c92c90aa1d2def24248bc45ddc9d',
  evidence: 'reward',
  data: {
    repo: builtinRepo,
    revision: packed.sha256.slice(0, 40),
    licence: 'the same as this program',
    gated: false,
    files: [{ role: 'test', path: 'tasks.jsonl', sha256: packed.sha256, rows: packed.rows }],
  },
  total_items: packed.rows,
  sample_items: packed.rows,
  group_label: 'Category',
  group_items: packed.groups,
  profiles: [...terminalProfiles],
  default_profile: 'builtin',
  default_selected: false,
  metrics: ['accuracy', 'pass_at_k', 'pass_hat_k', 'flip_rate', 'accuracy_worst_case', 'accuracy_best_case'],
  needs: {
    sandbox: { kinds: ['machine'], cpus: 1, memory_mb: 2048, disk_mb: 1024, images: [], network: true },
    timing_sensitive: false,
    typical_seconds: 300,
  },
  estimate: { input_tokens: 60_000, output_tokens: 6_000 },
  fields: [
    { path: 'task', label: 'Task', as: 'text' },
    { path: 'difficulty', label: 'Difficulty', as: 'text' },
    { path: 'image', label: 'Image', as: 'text' },
    { path: 'cpus', label: 'CPUs', as: 'number' },
    { path: 'memory_mb', label: 'Memory in MB', as: 'number' },
    { path: 'storage_mb', label: 'Storage in MB', as: 'number' },
    { path: 'network', label: 'Network', as: 'text' },
    { path: 'agent_timeout_s', label: 'Time for the agent in seconds', as: 'number' },
    { path: 'verifier_timeout_s', label: 'Time for the tests in seconds', as: 'number' },
    { path: 'not_runnable', label: 'Cannot run here', as: 'text' },
  ],
  setup_notes:
    'An agent needs a Docker engine (its own user in the group docker, or DOCKER_HOST). Other tasks than the examples of this program: bench run --tasks FOLDER, or their archives by the page of tasks.',
})
