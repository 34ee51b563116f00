import { questionNeeds } from '../../contract/resources.ts'
import { defineCard } from '../define-card.ts'
import { examData, examMetrics, examProfiles, examSetup } from '../exam-profiles.ts'

export const card = defineCard({
  name: 'hle_text',
  display_name: 'HLE, text only',
  description: 'The questions of Humanity’s Last Exam that have no picture; a judge compares each answer.',
  category: 'Knowledge',
  version: 2,
  fingerprint: '224aecf5b371865de9a134eb8d0c853326e0e87e8880d1bbd359a8b241b21ea1',
  evidence: 'judged',
  data: examData,
  total_items: 2158,
  sample_items: 36,
  group_label: 'Category',
  profiles: examProfiles,
  default_profile: 'official',
  default_selected: false,
  metrics: [...examMetrics, 'unparsed_share', 'truncated_share', 'accuracy_best_case'],
  needs: { ...questionNeeds, typical_seconds: 90 },
  estimate: { input_tokens: 350, output_tokens: 3000 },
  fields: [
    { path: 'question', label: 'Question', as: 'markdown' },
    { path: 'answer_type', label: 'Kind of answer', as: 'text' },
    { path: 'raw_subject', label: 'Subject', as: 'text' },
    { path: 'evidence.judge.replies', label: 'Verdict', as: 'verdict' },
  ],
  setup_notes: examSetup,
})
