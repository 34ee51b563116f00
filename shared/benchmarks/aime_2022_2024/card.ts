import { questionNeeds } from '../../contract/resources.ts'
import { contestProfiles } from '../contest-profiles.ts'
import { defineCard } from '../define-card.ts'

export const card = defineCard({
  name: 'aime_2022_2024',
  display_name: 'AIME 2022–2024',
  description:
    'Ninety problems of the American Invitational Mathematics Examination from 2022 to 2024; every answer is an integer from 0 to 999.',
  category: 'Mathematics',
  version: 4,
  fingerprint: '261e12a81ceb271e89ffb505d40c04dab5ad4697821990ce42210c0402834927',
  evidence: 'completion',
  data: {
    repo: 'AI-MO/aimo-validation-aime',
    revision: '13f9e12f613e720c2a2b2f345dd04b998a29494d',
    licence: 'Apache-2.0',
    gated: false,
    files: [
      {
        role: 'test',
        path: 'data/train-00000-of-00001.parquet',
        sha256: '025484a99fea498e7d0c3b0ee42afcbec0176405c19c5dbf557b9f6ca6445675',
        rows: 90,
      },
    ],
  },
  total_items: 90,
  sample_items: 32,
  group_label: 'Year',
  group_items: { 2022: 30, 2023: 30, 2024: 30 },
  profiles: contestProfiles,
  default_profile: 'official',
  default_selected: false,
  metrics: ['avg_at_k', 'pass_at_k', 'cons_at_k', 'unparsed_share', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  needs: { ...questionNeeds, typical_seconds: 180 },
  estimate: { input_tokens: 200, output_tokens: 12000 },
  fields: [{ path: 'problem', label: 'Problem', as: 'markdown' }],
  setup_notes: null,
})
