import { zipSync } from 'fflate'
import type { JobReport } from '#shared/harbor/episode-report.ts'
import { episode, job } from '#shared/harbor/testing/job.ts'
import { writeJobFolder } from '#shared/harbor/write-job.ts'

const encode = (text: string) => new TextEncoder().encode(text)

/** A job of two tasks, each attempted twice. */
export const wholeJob: JobReport = {
  ...job,
  planned: 4,
  episodes: ['1', '2', '3', '4'].map((name, index) =>
    episode(name, {
      task: { ...episode('1').task, name: `org/${index % 2}` },
      rewards: { reward: index % 2 },
      times: { started_at: '2026-11-24T10:00:00.000Z', finished_at: `2026-11-24T10:00:${10 + index}.000Z` },
    }),
  ),
}

/** The files of a job's folder with what its first episode left, by their paths. */
export function jobFiles(written: JobReport = wholeJob): Record<string, Uint8Array> {
  const [first] = written.episodes
  const folder = `${written.name}/${first!.name}`
  return {
    ...Object.fromEntries([...writeJobFolder(written)].map(({ path, text }) => [path, encode(text)])),
    [`${folder}/agent/trajectory.json`]: encode(JSON.stringify({ steps: [{ source: 'user', message: 'Write hello.' }] })),
    [`${folder}/agent/recording.cast`]: encode('{"version": 2}\n'),
    [`${folder}/verifier/test-stdout.txt`]: encode('1 passed\n'),
  }
}

/** A ZIP of a job's folder. */
export const jobZip = (files: Record<string, Uint8Array> = jobFiles()): Uint8Array<ArrayBuffer> => zipSync(files) as Uint8Array<ArrayBuffer>
