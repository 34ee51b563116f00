import { type AppStatus, type Phone, permissionNames } from './phone.ts'
import { hashable, type PyValue, pyRepr, pyStr, stringWith } from './python-values.ts'
import type { Telecom } from './telecom-state.ts'

/** `app_statuses.get(name)` */
function appNamed({ device }: Phone, name: PyValue): AppStatus | undefined {
  const key = hashable(name)
  return typeof key === 'string' && Object.hasOwn(device.app_statuses, key) ? device.app_statuses[key] : undefined
}

const granted = ({ permissions }: AppStatus): string[] => permissionNames.filter((name) => permissions[name])
const unknown = (name: PyValue): string => `App '${pyStr(name)}' not found on this phone.`

export function appStatus({ phone }: Telecom, name: PyValue): string {
  const app = appNamed(phone, name)
  if (!app) return unknown(name)
  const lines = granted(app).map((permission) => `   - ${permission}`)
  const head = lines.length === 0 ? ' - Permissions: None granted.' : ' - Permissions Granted:'
  return [`Status for App: ${pyStr(name)}`, head, ...lines].join('\n')
}

export function appPermissions({ phone }: Telecom, name: PyValue): string {
  const app = appNamed(phone, name)
  if (!app) return unknown(name)
  const names = granted(app)
  if (names.length === 0) return `App '${pyStr(name)}' currently has no permissions granted.`
  return `App '${pyStr(name)}' has permission for: ${names.join(', ')}.`
}

/** What a change of a permission came to. */
type Changed = { done: boolean; text: string }

export function grantPermission({ phone }: Telecom, name: PyValue, wanted: PyValue): Changed {
  const app = appNamed(phone, name)
  const permission = stringWith(wanted, 'lower').toLowerCase()
  if (!app) return { done: false, text: `App '${pyStr(name)}' not found. Cannot grant permission.` }
  const known = permissionNames.find((one) => one === permission)
  if (!known) {
    const text = `Permission '${permission}' not tracked for app '${pyStr(name)}', available permissions: ${pyRepr([...permissionNames])}`
    return { done: false, text }
  }
  app.permissions[known] = true
  return { done: true, text: `Permission '${permission}' granted to app '${pyStr(name)}'.` }
}

export function removePermission({ phone }: Telecom, name: PyValue, wanted: PyValue): Changed {
  const app = appNamed(phone, name)
  const permission = stringWith(wanted, 'lower').toLowerCase()
  if (!app) return { done: false, text: `App '${pyStr(name)}' not found. Cannot remove permission.` }
  const known = permissionNames.find((one) => one === permission)
  if (!known) return { done: false, text: `Permission '${permission}' not tracked for app '${pyStr(name)}'.` }
  app.permissions[known] = false
  return { done: true, text: `Permission '${permission}' removed from app '${pyStr(name)}'.` }
}
