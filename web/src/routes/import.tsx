import { createSignal } from 'solid-js'
import { createImports, ImportList } from '../import/import-jobs.tsx'
import { RunFor } from '../team/run-for.tsx'
import { DropZone } from '../ui/drop-zone.tsx'
import { Page } from '../ui/page.tsx'

/** Jobs of Harbor become runs: archives are dropped, and the page of the run opens. */
export default function Import() {
  const [team, setTeam] = createSignal<string>()
  const imports = createImports(team)
  return (
    <Page title="Import a Harbor job">
      <div class="grid max-w-4xl grid-cols-[minmax(0,1fr)] gap-5">
        <p class="text-muted">
          The results of a job of Harbor are shown as a run: every episode with its reward, logs and recording. A run is made for each agent
          and model. It says that it was imported, is private, and stands on no leaderboard.
        </p>
        <RunFor verb="Import" team={team()} choose={setTeam} />
        <DropZone accept=".zip,application/zip" several drop={imports.add}>
          <span class="font-medium">Drop the ZIP of a job here, or choose one</span>
          <span class="text-s text-faint">of one folder in Harbor’s jobs/, or an export in Harbor’s format; at most 100 MiB</span>
        </DropZone>
        <ImportList imports={imports} />
        <p class="text-s text-muted">
          In a terminal: <code class="break-all">bench import harbor jobs/2026-11-24__10-00-00 --service</code>. The same archive gives the
          same runs again.
        </p>
      </div>
    </Page>
  )
}
