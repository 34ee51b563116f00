import { expect, test } from 'vitest'
import { agentCommands } from './agent-commands.ts'

const local = agentCommands('http://127.0.0.1:8787', true)
const deployed = agentCommands('https://bench.example.org', false)

test('[UI76] the commands for an agent run what is in the clone, never a package of the same name', () => {
  for (const { clone, container } of [local, deployed]) {
    expect(clone).toContain('npm run cli -- agent --edge ')
    expect(`${clone} ${container}`).not.toMatch(/\bnpx\b/)
  }
  expect(deployed.container).toContain('docker compose -f fleet.compose.yml up')
})

test('[UI76] beside the commands stands where the token comes from, and a local one keeps the name of the agent that is there', () => {
  expect(local.token).toContain('secrets.json')
  expect(local.clone).toContain('--name ')
  expect(local.container).toBeNull()
  expect(deployed.token).toContain('AGENT_TOKEN')
})
