import type * as z from 'zod'
import type { LcbRecord } from '#shared/benchmarks/livecodebench/record.ts'

/** A right program, which does nothing but count. */
export const countingProgram = `def main():
    number = 1
    for _ in range(int(input())):
        number = (number * 75 + 74) % 65537
    print(number)

main()`

/** An invented problem of LiveCodeBench's form whose tests keep a core busy; each counts `steps` and some more, which the number makes others for each. */
export function countingProblem(number: number, steps: number): z.input<typeof LcbRecord> {
  const tests = [0, 1, 2].map((test) => {
    const length = steps + 1000 * test + number
    return { input: `${length}\n`, output: `${sequenceEnd(length)}\n`, testtype: 'stdin' as const }
  })
  return {
    question_title: `Counting ${number}`,
    question_content: 'Take x to 75 x + 74 modulo 65537, from 1 on, as often as you are told. Print the last.',
    platform: 'atcoder',
    question_id: `counting_${String(number).padStart(4, '0')}`,
    contest_id: 'counting',
    contest_date: '2024-01-01',
    starter_code: '',
    difficulty: 'easy',
    public_test_cases: JSON.stringify(tests.slice(0, 1)),
    private_test_cases: JSON.stringify(tests.slice(1)),
    metadata: '{}',
  }
}

function sequenceEnd(length: number): number {
  let value = 1
  for (let step = 0; step < length; step++) value = (value * 75 + 74) % 65537
  return value
}
