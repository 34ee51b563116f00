import { hostProblem } from './public-host.ts'

/** Whether the source of an ADD is an address for any builder of Docker's, of files or of a Git repository. */
export const isAddress = (source: string): boolean =>
  /^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(source) || /^[^/\s:]+@[^/\s:]+:/.test(source) || /^github\.com\//i.test(source)

/** Why nothing is fetched from an address, in words; null: it may be tried. */
export function addressProblem(address: string): string | null {
  if (!/^https?:\/\//i.test(address)) return 'only http:// and https:// addresses are fetched; clone a repository in a RUN'
  if (!URL.canParse(address)) return 'it is no address'
  const { hostname, username, password, pathname, hash } = new URL(address)
  if (username !== '' || password !== '') return 'an address may hold no login'
  if (/\.git$/.test(pathname) || /\.git(#|$)/.test(pathname + hash)) return 'Git repositories are not fetched; clone it in a RUN'
  return hostProblem(hostname)
}

/** The name of the file at an address; null where its path names none. */
export function fileNameOf(address: string): string | null {
  const name = new URL(address).pathname.split('/').at(-1) ?? ''
  try {
    const plain = decodeURIComponent(name)
    return plain === '' || plain === '.' || plain === '..' || /[/\0]/.test(plain) ? null : plain
  } catch {
    return name === '' ? null : name
  }
}
