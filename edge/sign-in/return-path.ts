/**
 * Returns path, query and fragment of `wanted`, or `/` if `wanted` could lead to another site. URLs of
 * another origin, `//host`, backslashes and control characters are rejected.
 */
export function returnPath(wanted: string | null | undefined): string {
  const here = 'https://here.invalid'
  if (!wanted || wanted.length > 2000 || !wanted.startsWith('/') || /[\\\p{Cc}]/u.test(wanted)) return '/'
  const url = URL.parse(wanted, here)
  if (url?.origin !== here || url.pathname.startsWith('//')) return '/'
  return `${url.pathname}${url.search}${url.hash}`
}
