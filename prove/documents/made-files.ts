/** Files and folders that documents name and this repository does not hold, each with who makes or has it. */
export const madeFiles: Readonly<Record<string, string>> = {
  'deploy.env': 'DEPLOY.md, step 2',
  'signing-key.pem': 'DEPLOY.md, step 3',
  '.data/': 'npm start',
  '.data/secrets.json': 'npm start',
  'secrets.json': 'npm start, in its data directory',
  'runs/': 'bench run --local',
  'evidence.json': 'a trial whose answer is too large for its record',
  'results.json': 'in a signed ZIP',
  'BENCH_DATA_DIR/tables/': 'the operator of an agent without a network',
  'jobs/': 'Harbor',
  'agent/recording.cast': 'in a Harbor job',
  'environment/docker-compose.yaml': 'in a task',
  'reward.json': 'a verifier',
  'reward.txt': 'a verifier',
}
