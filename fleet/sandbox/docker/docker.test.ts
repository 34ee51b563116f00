import { afterAll, test } from 'vitest'
import { contractSpec, type OpenForContract, sandboxContract } from '../sandbox.contract.ts'
import { createDocker } from './open-docker.ts'
import { ensureTestImage, testImage } from './testing/base-image.ts'

const absent = await ensureTestImage()
const docker = await createDocker({ image: testImage, warm: 2 })
const patience = 60_000
const open: OpenForContract = (changes = {}, signal = new AbortController().signal) => docker.open({ ...contractSpec, ...changes }, signal)

afterAll(() => docker.close())

for (const { rule, name, check } of sandboxContract)
  test(`[${rule}] Docker: ${name}`, { timeout: patience }, async (context) => {
    context.skip(absent !== null, String(absent))
    await check(open)
  })
