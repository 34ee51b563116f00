import { parse } from 'yaml'
import { fileText, type Place } from './place.ts'

type Compose = { services: Record<string, { profiles?: string[] }> }

/** What is wrong with a `docker compose` command, or null: its file, services, profiles and their scale must be there. */
export function judgeCompose(words: readonly string[], { tree, mention }: Place): string | null {
  const rest = [...words]
  let compose = null as Compose | null
  const profiles: string[] = []
  let action: string | null = null
  while (rest.length > 0) {
    const word = rest.shift()!
    if (word === '-f') {
      const file = rest.shift() ?? ''
      if (!tree.has(file)) return `there is no ${file}`
      const read = parse(fileText(tree, file), { logLevel: 'silent' }) as Compose // a tag of Compose's own is no mistake
      compose = { services: { ...read.services, ...compose?.services } }
    } else if (word === '--profile') profiles.push(rest.shift() ?? '')
    else if (word === '--scale') {
      const [service = '', count = ''] = (rest.shift() ?? '').split('=')
      if (!compose?.services[service] || !/^\d+$/.test(count)) return `there is no service ${service} to scale`
    } else if (/^--?(build|detach|d|no-recreate|volumes)$/.test(word)) continue
    else if (action === null && word === 'exec') return judgeExec(rest, compose)
    else if (action === null && /^(up|down|start|stop|config|ps|logs)$/.test(word)) action = word
    else if (action !== null && compose?.services[word]) continue
    else return `docker compose is not given ${word} here`
  }
  const known = Object.values(compose?.services ?? {}).flatMap((service) => service.profiles ?? [])
  const lost = profiles.find((profile) => !known.includes(profile))
  if (lost !== undefined) return `there is no profile ${lost}`
  return action === null && !mention ? 'docker compose is told nothing' : null
}

/** `exec` names a service; what follows is read inside its container. */
function judgeExec(words: readonly string[], compose: Compose | null): string | null {
  const [service = '', program] = words.filter((word) => word !== '-T')
  if (!compose?.services[service]) return `there is no service ${service}`
  return program === undefined ? 'docker compose exec is told nothing' : null
}
