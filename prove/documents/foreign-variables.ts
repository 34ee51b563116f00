/** Variables that documents name and no code here reads, each with who does. */
export const foreignVariables: Readonly<Record<string, string>> = {
  CI_BASE: '.ci/run',
  CLOUDFLARE_API_TOKEN: 'wrangler',
  CLOUDFLARE_ACCOUNT_ID: 'wrangler',
  OLLAMA_CONTEXT_LENGTH: 'Ollama',
  LAB_KEY: 'BENCH_PROVIDERS names it: `api_key_env`',
  CHUTES_KEY: 'BENCH_PROVIDERS names it: `api_key_env`',
  JANUS_PASSWORD: 'BENCH_PROVIDERS names it: `env` of a header',
  MAX_TOKENS: 'a finish reason, no variable',
  START_THINKING: 'a tag in answers, no variable',
}

/** Variables that the programs read and no document names, each with who sets them. */
export const internalVariables: Readonly<Record<string, string>> = {
  RUN: 'a binding of the Worker (wrangler.toml)',
  FLEET: 'a binding of the Worker (wrangler.toml)',
  GUARD: 'a binding of the Worker (wrangler.toml)',
  SESSION: 'a binding of the Worker (wrangler.toml)',
  BUDGET: 'a binding of the Worker (wrangler.toml)',
  LISTED: 'a binding that the local service gives its Worker',
  DOOR_SECRET: 'the local service sets it for its Worker',
  BENCH_POSTGRES_PORT: 'the local service sets it for its database',
  BENCH_ENDPOINT_PORT: 'the local service sets it for its database',
  BENCH_HOST: 'the local service sets it for its Worker',
  BENCH_WORKERD: 'the local service sets it for its Worker',
  MINIFLARE_WORKERD_PATH: 'Miniflare',
  BENCH_DEMO_PORT: 'the local service sets it for the demo model',
  BENCH_FAKE_IDP_PORT: 'the local service sets it for the fake identity provider',
  BENCH_FAKE_IDP_SECRET: 'the local service sets it for the fake identity provider',
  BENCH_FAKE_IDP_ACCESS_S: 'tests of sign-in set it',
  BENCH_EXEC: 'marks the processes of a command in a container',
  ARTIFACTS: 'a binding of the Worker (wrangler.toml)',
  COLUMNS: 'the terminal',
  TERM: 'the terminal',
  PATH: 'the system',
  HOME: 'the system',
  PROD: 'Vite',
}
