const inRunCore = 'apply|decide|lease|match/[\\w-]+|openings|plan|rate-share|reserve|seats|settle|stream|trial-store|turn|wake'
const inAgent = 'agent|execute|fit-record|rate-desk|run-worker|serve-agent|work-queue'
const targets = new RegExp(
  String.raw`^(?:shared/run/(?:${inRunCore})|edge/(?:fleet|objects|run)/[\w-]+|fleet/(?:${inAgent})|fleet/(?:coordinator|lanes)/[\w-]+|fleet/cli/commands/agent)\.ts$`,
)

/** The run core, the objects and the agent. What a run is asked for (specs, profiles, judges) and how exports are scored again is not among them. */
export function targetsIn(paths: Iterable<string>): string[] {
  return [...paths].filter((path) => targets.test(path) && !path.endsWith('/env.ts'))
}
