import { questionNeeds } from '../../contract/resources.ts'
import { contestProfiles } from '../contest-profiles.ts'
import { defineCard } from '../define-card.ts'

export const card = defineCard({
  name: 'aime_2025',
  display_name: 'AIME 2025',
  description:
    'The thirty problems of the American Invitational Mathematics Examination of 2025; every answer is an integer from 0 to 999.',
  category: 'Mathematics',
  version: 4,
  fingerprint: '6c66f13e3b5f360d93ad76825d7975e20806c0c77258c0622686cede852221db',
  evidence: 'completion',
  data: {
    repo: 'MathArena/aime_2025',
    revision: 'c94da77eb22bbd6439e62a323bec18493a421302',
    licence: 'CC-BY-NC-SA-4.0',
    gated: false,
    files: [
      {
        role: 'test',
        path: 'data/train-00000-of-00001.parquet',
        sha256: '9f9066ff48ad2e31f9bf1b1ac6d5e80693195f987985f2859f89dd25ffa51c2d',
        rows: 30,
      },
    ],
  },
  total_items: 30,
  sample_items: 32,
  group_label: 'Contest',
  group_items: { I: 15, II: 15 },
  profiles: contestProfiles,
  default_profile: 'official',
  default_selected: true,
  metrics: ['avg_at_k', 'pass_at_k', 'cons_at_k', 'unparsed_share', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
  needs: { ...questionNeeds, typical_seconds: 180 },
  estimate: { input_tokens: 200, output_tokens: 12000 },
  fields: [{ path: 'problem', label: 'Problem', as: 'markdown' }],
  setup_notes: null,
})
