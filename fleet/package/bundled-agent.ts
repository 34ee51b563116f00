/** Entry of the bundled agent of `npm start`; as a thread of itself, the heavy work. */
import { isMainThread } from 'node:worker_threads'

await (isMainThread ? import('../main.ts') : import('../threads/heavy-thread.ts'))
