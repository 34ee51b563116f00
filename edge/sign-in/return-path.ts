/**
 * The place of this site that a visitor comes back to after signing in: path, query and fragment of `wanted`, or `/` where that leads anywhere else. An address of
 * another origin, `//host`, a backslash or a control character is no path of ours.
 */
export function returnPath(wanted: string | null | undefined): string {
  const here = 'https://here.invalid'
  if (!wanted || wanted.length > 2000 || !wanted.startsWith('/') || /[\\\p{Cc}]/u.test(wanted)) return '/'
  const url = URL.parse(wanted, here)
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
