import { A, createAsync, useParams } from '@solidjs/router'
import { Suspense } from 'solid-js'
import type { EvidenceOf } from '#shared/contract/evidence/evidence.ts'
import type { TrialRecord } from '#shared/contract/trial.ts'
import { itemPath } from '../../paths.ts'
import { getRun } from '../../queries.ts'
import { mayRegrade } from '../../regrade/may-regrade.ts'
import { later } from '../../ui/later.tsx'
import { Section } from '../../ui/section.tsx'
import { Show } from '../../ui/show.tsx'

const RegradeButton = later(async () => (await import('../../regrade/regrade-button.tsx')).RegradeButton)

/** Whose hand-over was graded and how it was graded then, or how this episode is graded again. */
export function RegradeLines(props: { evidence: EvidenceOf<'reward'>; record: TrialRecord }) {
  const params = useParams()
  const run = createAsync(() => getRun(params.id!))
  const mine = () => {
    const got = run()
    return got?.ok && mayRegrade(got.value, got.value.status)
  }
  const rewardText = (value: number | null): string => (value === null ? '–' : String(Math.round(value * 1000) / 1000))
  const { benchmark, item_id, epoch } = props.record
  return (
    <Section title={props.evidence.regrade_of ? 'Graded again' : 'Grade again'}>
      <Show
        when={props.evidence.regrade_of}
        fallback={
          <>
            <p class="break-words text-s text-muted">
              Its tests run again, as they are by then, over what was handed over; nobody works again and this run stays as it is.{' '}
              <Show when={props.evidence.room === 'shared'}>
                These ran in the machine of the agent, which is gone: it takes a task whose verifier has a machine of its own.{' '}
              </Show>
              On your own machine: <code>bench regrade {params.id} --tasks DIR</code>
            </p>
            <Suspense>
              <Show when={mine()}>
                <div class="mt-2">
                  <RegradeButton runId={params.id!} narrowed={{ benchmark, item: item_id, epoch }} small>
                    Regrade
                  </RegradeButton>
                </div>
              </Show>
            </Suspense>
          </>
        }
      >
        {(before) => (
          <p class="break-words">
            Reward then <span class="text-muted">{rewardText(before().score)}</span> → now {rewardText(props.record.score)}. Nobody worked
            in this run: what{' '}
            <A class="link" href={itemPath(before().run_id, benchmark, item_id, epoch)}>
              trial {before().ordinal} of the run {before().run_id.slice(0, 8)}
            </A>{' '}
            handed over was graded.
          </p>
        )}
      </Show>
    </Section>
  )
}
