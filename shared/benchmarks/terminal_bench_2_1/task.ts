import { terminalBenchmark } from '../../episode/terminal-benchmark.ts'
import { workerOf } from '../../episode/worker-of.ts'
import { card } from './card.ts'
import { manifest } from './manifest.ts'

export default terminalBenchmark(card, workerOf, { manifest: () => manifest })
