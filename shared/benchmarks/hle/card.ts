import { questionNeeds } from '../../contract/resources.ts'
import { defineCard } from '../define-card.ts'
import { examData, examMetrics, examProfiles, examSetup } from '../exam-profiles.ts'

export const card = defineCard({
  name: 'hle',
  display_name: 'HLE',
  description:
    "Humanity's Last Exam: questions at the edge of what experts of many fields know, one in seven with a picture; a judge compares each answer.",
  category: 'Knowledge',
  version: 2,
  fingerprint: '597f1166bd74b367a41d8637a805d247089f850f5a6f64ab098303e850511e1d',
  evidence: 'judged',
  data: examData,
  total_items: 2500,
  sample_items: 42,
  group_label: 'Category',
  profiles: examProfiles,
  default_profile: 'official',
  default_selected: false,
  metrics: [...examMetrics, 'accuracy_with_picture', 'accuracy_without_picture', 'unparsed_share', 'truncated_share', 'accuracy_best_case'],
  input: ['text', 'image'],
  needs: { ...questionNeeds, typical_seconds: 90 },
  estimate: { input_tokens: 500, output_tokens: 3000 },
  fields: [
    { path: 'question', label: 'Question', as: 'markdown' },
    { path: 'pictures', label: 'Pictures', as: 'pictures' },
    { path: 'answer_type', label: 'Kind of answer', as: 'text' },
    { path: 'raw_subject', label: 'Subject', as: 'text' },
    { path: 'evidence.judge.replies', label: 'Verdict', as: 'verdict' },
  ],
  setup_notes: `${examSetup} Some questions show a picture: a model that takes text only is asked hle_text instead.`,
})
