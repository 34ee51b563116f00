import { HiddenTests } from '#shared/benchmarks/livecodebench/hidden-tests.ts'
import task from '#shared/benchmarks/livecodebench/task.ts'
import type { CheatBook, CheatCase, OfficiallyPasses } from './cheat-book.ts'
import { type LcbShape, livecodebenchCheats } from './livecodebench-cheats.ts'
import { sampleRows } from './sample-rows.ts'

/** Items of the sample: one that reads and writes, and two functions, with private tests as JSON and packed. */
const indices = [0, 2, 17]

const noAlarm: OfficiallyPasses = {
  official:
    'the official alarm too is in the process of the program, which may ignore it; only the time of all tests together is kept from outside',
  flag: null,
}

/** What is tried at LiveCodeBench. Cheats that go on answer with the value of the first public test, which all of them are shown. */
export const livecodebenchBook: CheatBook = {
  benchmark: 'livecodebench',
  profile: 'builtin',
  rows: async () => ({ test: sampleRows('livecodebench') }),
  async cases(opened) {
    const cases: CheatCase[] = []
    for (const index of indices) {
      const item = await opened.item(index, 0)
      const { outputs, fn_name } = HiddenTests.parse(await opened.hidden!(index))
      const shape: LcbShape = { starter: fn_name === null ? null : String(item.metadata.starter_code), guess: outputs[0]!.trim() }
      const at = { index, item: item.source_id ?? item.item_id }
      const right = task.demo(item, true)
      cases.push({ ...at, cheat: 'reference', answers: [right], want: 1 })
      for (const [cheat, answer] of livecodebenchCheats(shape)) cases.push({ ...at, cheat, answers: [answer], want: 0 })
      if (index !== indices[0]) continue
      const late = right.replace('print(', 'import signal, time\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\ntime.sleep(6.5)\nprint(')
      cases.push({ ...at, cheat: 'takes longer than it may, without the alarm', answers: [late], want: noAlarm })
    }
    return cases
  },
}
