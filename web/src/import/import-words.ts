import type { ArchiveWords } from '../task/upload-queue.ts'

/** What an archive of a job is called where it is refused before it is sent. */
export const ofJob: ArchiveWords = {
  title: 'This is no archive of a job',
  folder: 'the folder of the job',
  less: 'leave its recordings out, or import it with bench import harbor',
}
