/**
 * How an agent is started where the program is: in a clone of the repository. Nothing is offered to `npx`, which would fetch a stranger's
 * package of the same name. A second agent on the machine of a local service shares its data directory, so it needs a name of its own.
 */
export function agentCommands(origin: string, local: boolean): { clone: string; container: string | null; token: string } {
  const clone = `BENCH_AGENT_TOKEN=… npm run cli -- agent --edge ${origin}`
  if (local)
    return { clone: `${clone} --name second`, container: null, token: 'It is agent_token in secrets.json of the data directory (.data).' }
  return {
    clone,
    container: `BENCH_EDGE_URL=${origin} BENCH_AGENT_TOKEN=… docker compose -f fleet.compose.yml up --build`,
    token: 'The operator of this service has it as AGENT_TOKEN; a key with the scope agents:join serves as well.',
  }
}
