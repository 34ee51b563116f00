import type { Profile, ProfileRole, TextPin } from '../../contract/card.ts'
import type { ModelParams } from '../../contract/message.ts'
import { questionNeeds } from '../../contract/resources.ts'
import { defineCard } from '../define-card.ts'

/** One revision for everything: earlier tasks name a tool that does not exist, and so do these (see the README). */
const source = { repo: 'sierra-research/tau2-bench', revision: 'a2c024725189473d2d7cea3a5cfdbcc67478e41f' }
const telecom = 'data/tau2/domains/telecom'
const text = (id: string, path: string, symbol: string, sha256: string): TextPin => ({ id, ...source, path, symbol, sha256 })

const agent = 'src/tau2/agent/llm_agent.py'
const code = 'src/tau2/domains/telecom'
const environment = `${code}/environment.py`
const wordTexts: TextPin[] = [
  text('agent_instruction', agent, 'AGENT_INSTRUCTION', 'e00faa515230c8648931f73ed25c9528418cccc522fe8936917f4c2a047bc5d2'),
  text('agent_system', agent, 'SYSTEM_PROMPT', '71ed98b68d2f1e2a79512f6581b78dc1741efc1ab8fce791764740f8a47702b1'),
  text('main_policy_open', environment, 'get_environment', 'eb2f5fbabbfcfe5c70a6c3a26ecd496b2086b443c552a08f81de8ca7e31c0d59'),
  text('main_policy_close', environment, 'get_environment', '0bfd5155cb5b03e50be395cc1139e43a36c10b72788a305fa7c8c896a0c53974'),
  text('tech_support_open', environment, 'get_environment', '0eff3fe0533a0e37d77d284e3b52493f39b4dff6eeec4f6b2fc2c570579a82ec'),
  text('tech_support_close', environment, 'get_environment', '344409e6799e755778530e185fdaa480ec4d0fb08731a0f388ce1f69bec385f9'),
  text('main_policy', `${telecom}/main_policy.md`, 'main_policy.md', '95943844a0cf11fdf0e2842b483b81d9f9338aa53235712ed131db075d086ed7'),
  text(
    'tech_support_manual',
    `${telecom}/tech_support_manual.md`,
    'tech_support_manual.md',
    '015a3ee49ec8c199c5e1a059c922081937b92cf3a5ea74fedbc4357816f389ba',
  ),
  text(
    'greeting',
    'src/tau2/orchestrator/orchestrator.py',
    'DEFAULT_FIRST_AGENT_MESSAGE',
    '271973d4979a0bdfa021f64bf7cc98f77eeffd101b3d1fbcaaf178c4b061b62f',
  ),
  text(
    'user_system',
    'src/tau2/user/user_simulator.py',
    'SYSTEM_PROMPT',
    'd541cc344ec96adea3057d5145c341b3d1a8de55da4044e8c8aefcc8e6c0430a',
  ),
  text(
    'user_guidelines',
    'data/tau2/user_simulator/simulation_guidelines_tools.md',
    'simulation_guidelines_tools.md',
    'cbf3d8a4d8642fd04e559862f1afef55d7dd4e6a7e727ca49e239023c599de0c',
  ),
  text('tools_py', `${code}/tools.py`, 'docstrings of TelecomTools', '388552434d1b8225e33e7958bdb6efccfe92b49e11d1838568d9b559514e9d01'),
  text(
    'user_tools_py',
    `${code}/user_tools.py`,
    'docstrings of TelecomUserTools',
    '03fa751eeea3734313a3f5274223d42750fd5c1a28f2624265a678f271ac309d',
  ),
  text(
    'user_data_model_py',
    `${code}/user_data_model.py`,
    'docstrings of APNSettings',
    '27be0006694e9a740dd378f42099d6d1afecbd445f7906aedcd1f800087377c2',
  ),
]

const params: ModelParams = { temperature: 0, top_p: null, max_tokens: null, stop: null, seed: null, reasoning_effort: null }
const user = (model: string, own: ModelParams = params): ProfileRole => ({
  model,
  provider: null,
  params: own,
  schema: false,
  estimate: { input_tokens: 60_000, output_tokens: 1500 },
})

const asked = {
  texts: wordTexts,
  files: ['test', 'splits', 'databases'],
  tables: [],
  params,
  epochs: 4,
  total_items: 114,
  rounds: { most: 100, grows_tokens: 500 },
}
const official = user('gpt-4.1-2025-04-14')

const profiles: Profile[] = [
  {
    id: 'official-2.0',
    title: 'Official words, user played by gpt-4.1, 200 steps, four trials',
    ...asked,
    roles: { user: official },
  },
  {
    id: 'official-2026',
    title: 'The same with the user of leaderboard rows of 2026: gpt-5.2 at low effort',
    ...asked,
    roles: { user: user('gpt-5.2', { ...params, temperature: null, reasoning_effort: 'low' }) },
  },
  {
    id: 'aa',
    title: 'As Artificial Analysis reported it: user played by Qwen3 235B, 100 steps, three repeats',
    ...asked,
    epochs: 3,
    rounds: { ...asked.rounds, most: 50 },
    roles: { user: user('Qwen/Qwen3-235B-A22B-Instruct-2507') },
  },
  {
    id: 'builtin',
    title: 'Our own words of the same structure, tools told of in ours, 200 steps',
    ...asked,
    texts: [],
    epochs: 1,
    roles: { user: official },
  },
]

export const card = defineCard({
  name: 'tau2_bench_telecom',
  display_name: 'τ²-bench Telecom',
  description:
    'An agent helps a simulated customer with a phone that does not work: both have tools, and what they leave behind is checked.',
  category: 'Agents',
  version: 1,
  fingerprint: '158262a5bb85ca79c1112e8edae95d8688422235527ab4ac5609df3099ead24b',
  evidence: 'dialogue',
  data: {
    ...source,
    licence: 'MIT',
    gated: false,
    files: [
      {
        role: 'test',
        path: `${telecom}/tasks.json`,
        sha256: '37e562e1ae3242577407e1303b1548bc64e7ea68e37d36173e6747990ceaf8a4',
        rows: 2285,
        from: { ...source, host: 'github-file' },
      },
      {
        role: 'splits',
        path: `${telecom}/split_tasks.json`,
        sha256: '605b488bb9a6acb3c7f4505240a855fdc8681d09aadb16a8f38b2efcfc5c3aec',
        rows: 5,
        from: { ...source, host: 'github-file' },
      },
      {
        role: 'databases',
        path: `${telecom}/db.toml`,
        sha256: '562d647ef9d7df8df91eafd8ee76036e707c8f9e32aaedc4a7fde06975aea2c0',
        rows: 1,
        from: { ...source, host: 'github-file' },
      },
      {
        role: 'databases',
        path: `${telecom}/user_db.toml`,
        sha256: '4886107ea0c16f8e16d74bef91cfb557de61822afe9361f5a9b241806aea2e4c',
        rows: 1,
        from: { ...source, host: 'github-file' },
      },
    ],
  },
  total_items: 2285,
  sample_items: 32,
  group_label: 'Kind of trouble',
  profiles,
  default_profile: 'official-2.0',
  default_selected: false,
  metrics: [
    'avg_at_k',
    'pass_hat_2',
    'pass_hat_3',
    'pass_hat_k',
    'accuracy_persona_none',
    'accuracy_persona_easy',
    'accuracy_persona_hard',
    'accuracy_worst_case',
    'accuracy_best_case',
  ],
  needs: { ...questionNeeds, typical_seconds: 180 },
  estimate: { input_tokens: 250_000, output_tokens: 4000 },
  fields: [
    { path: 'scenario', label: 'What the user is told', as: 'text' },
    { path: 'persona', label: 'Persona', as: 'text' },
  ],
  setup_notes:
    'Every trial is a dialogue of 20 to 60 calls. The user is played by a model of the profile, which needs its own provider and is paid for apart: scores with different users cannot be compared.',
})
