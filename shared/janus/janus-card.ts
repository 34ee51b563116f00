import { defineCard } from '../benchmarks/define-card.ts'
import { builtinRepo, type Card } from '../contract/card.ts'
import { questionNeeds } from '../contract/resources.ts'
import type { JanusBenchmark } from './item-schema.ts'
import { janusProfiles, publicProfiles } from './profiles.ts'
import { janusSandbox } from './sandbox-room.ts'

type About = Pick<Card, 'display_name' | 'description' | 'estimate'> & {
  fingerprint: string
  version?: number
  /** What the item file is. */
  packed: { sha256: string; rows: number; groups: Record<string, number> }
  seconds: number
  timing_sensitive?: boolean
  /** Items at work at once at one endpoint, at most, as the suite has it. */
  at_once?: number
  sandbox?: boolean
  pictures?: boolean
  judged?: boolean
  /** Milliseconds that an answer may take. */
  total_ms: number
  category?: string
}

const { image: _image, network: _network, ...room } = janusSandbox

/** The card of one benchmark of the suite: its rows lie beside it, counted and hashed when they were packed. */
export function janusCard<const N extends JanusBenchmark>(name: N, about: About) {
  const { sha256, rows, groups } = about.packed
  return defineCard({
    name,
    display_name: about.display_name,
    description: about.description,
    category: about.category ?? 'Janus Intelligence',
    version: about.version ?? 1,
    fingerprint: about.fingerprint,
    evidence: 'exchange',
    data: {
      repo: builtinRepo,
      revision: sha256.slice(0, 40),
      licence: 'the same as this program',
      gated: false,
      files: [{ role: 'test', path: 'items.jsonl', sha256, rows }],
    },
    total_items: rows,
    sample_items: rows,
    subset_rounding: 'ceil',
    ...(name !== 'janus_public' && { composite: 'janus' as const }),
    group_label: name === 'janus_public' ? 'Suite and category' : 'Kind',
    group_items: groups,
    profiles: name === 'janus_public' ? publicProfiles(about.total_ms) : janusProfiles(about.total_ms, about.judged),
    default_profile: 'janus-v2',
    default_selected: false,
    metrics: ['accuracy', 'pass_at_k', 'truncated_share', 'accuracy_worst_case', 'accuracy_best_case'],
    needs: {
      ...questionNeeds,
      sandbox: about.sandbox ? { kinds: ['bwrap', 'docker', 'sandy'], ...room, images: [] } : null,
      timing_sensitive: about.timing_sensitive ?? false,
      ...(about.at_once !== undefined && { at_once: about.at_once }),
      typical_seconds: about.seconds,
    },
    ...(about.pictures && { input: ['text', 'image'] as ['text', 'image'] }),
    estimate: about.estimate,
    fields: [
      ...(about.pictures ? [{ path: 'pictures', label: 'Pictures', as: 'pictures' as const }] : []),
      { path: 'subtype', label: 'Kind', as: 'text' },
    ],
    setup_notes: about.sandbox
      ? 'Code runs in a sandbox with Python 3; everything else is part of this program.'
      : 'The items are part of this program.',
  })
}
