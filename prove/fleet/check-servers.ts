import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { works } from '#fleet/images/debian-image.ts'
import { execute, root } from '../image/docker.ts'

const settings = '{ BENCH_EDGE_URL = "https://bench.example.org", BENCH_AGENT_TOKEN = "agt_12345678" }'
const ten = '{ for n in range(1, 11) : format("bench-%d", n) => { address = format("10.0.0.%d", 10 + n) } }'

/**
 * Has OpenTofu, or Terraform in its place, read the module of `docs/fleet/servers` and plan it for
 * ten hosts, without a network. Gives what is wrong, a sentence each; a machine with neither is
 * told.
 */
export async function checkServers(say: (line: string) => void): Promise<string[]> {
  const program = (await works('tofu', 'version')) ? 'tofu' : (await works('terraform', 'version')) ? 'terraform' : null
  if (program === null) {
    say('docs/fleet/servers is not checked: neither tofu nor terraform is here')
    return []
  }
  const folder = await mkdtemp(join(tmpdir(), 'bench-servers-'))
  try {
    await cp(join(root, 'docs/fleet'), folder, { recursive: true })
    const at = (...args: string[]) => execute(program, [`-chdir=${folder}`, ...args])
    const fleet = (given: string) =>
      writeFile(
        join(folder, 'fleet.tf'),
        `module "fleet" {\n  source     = "./servers"\n  repository = "https://git.example.org/bench.git"\n  hosts      = ${ten}\n  settings   = ${given}\n}\n`,
      )
    await fleet(settings)
    await at('init', '-no-color')
    await at('validate', '-no-color')
    for (const part of ['servers', 'hetzner']) await execute(program, ['fmt', '-check', join(folder, part)])
    const planned = await at('plan', '-no-color')
    await fleet('{ BENCH_EDGE_URL = "https://bench.example.org" }')
    const refused = await at('plan', '-no-color').then(
      () => false,
      (error: Error) => error.message.includes('settings needs BENCH_EDGE_URL and BENCH_AGENT_TOKEN'),
    )
    say(`docs/fleet/servers: ${program} plans ${/Plan: (\d+) to add/.exec(planned)?.[1] ?? 'nothing'} agents`)
    return [
      ...(planned.includes('Plan: 10 to add, 0 to change, 0 to destroy') ? [] : ['ten hosts are not ten agents']),
      ...(planned.includes('agt_12345678') ? ['the plan shows the token'] : []),
      ...(refused ? [] : ['settings without a token are not refused']),
    ]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
