/** Entry of the bundled program: the command line, on any Node from 20 on; as a thread of itself, the heavy work. */
import './old-node.ts'
import { isMainThread } from 'node:worker_threads'

await (isMainThread ? import('../cli/bench.ts') : import('../threads/heavy-thread.ts'))
