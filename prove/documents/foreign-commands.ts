/** The programs whose commands are read by their own parsers, by their first words. */
export const ownPrograms = ['bench', 'npx bench', 'npm', 'node', 'vitest', 'curl', 'docker compose'] as const

const shell = 'a part of every POSIX system'
const executed = 'run as it stands by edge/documents-run.test.ts'
const account = 'needs an account at Cloudflare'
const host = 'changes the host of an agent'

/** Commands of programs that are not ours, by their first words, each with why a test cannot have them read by their own parser. */
export const foreignCommands: Readonly<Record<string, string>> = {
  umask: executed,
  echo: executed,
  printf: executed,
  unzip: executed,
  base64: executed,
  openssl: executed,
  sha256sum: executed,
  grep: executed,
  jq: shell,
  cd: shell,
  cat: shell,
  sleep: shell,
  find: shell,
  bash: shell,
  mktemp: shell,
  'git clone': shell,
  'git check-ignore': shell,
  'git apply': 'git itself, which our applier of diffs is compared with',
  'docker build': 'builds the image of programs, whose Dockerfile documents.test.ts looks for',
  'docker save': host,
  systemctl: host,
  journalctl: 'only reads the log of a unit',
  tofu: 'reads docs/fleet, which prove/fleet checks',
  sh: shell,
  export: shell,
  'docker ps': 'only reads the list of containers',
  'docker network create': host,
  'docker-compose stop': 'the agent’s image is stopped so by npm run prove -- image',
  iptables: host,
  'apt install': host,
  'apt-get update': host,
  ssh: 'needs another machine',
  'apt-get install': host,
  'harbor view': 'Harbor’s own program',
  'pip install': 'installs Schemathesis, which npm test does not have',
  'schemathesis run': 'Schemathesis’ own program',
  'npx wrangler login': account,
  'npx wrangler r2 bucket create': account,
  'npx wrangler deploy': account,
  'npx wrangler secret bulk': account,
  'npx wrangler rollback': account,
  'npx wrangler tail': account,
  'wrangler secret put': account,
  'wrangler rollback': account,
  'wrangler deploy': account,
}

/** Programs whose commands are judged wherever a document shows them. */
export const knownPrograms: ReadonlySet<string> = new Set(
  [...ownPrograms, ...Object.keys(foreignCommands)].map((key) => key.split(' ')[0]!),
)
