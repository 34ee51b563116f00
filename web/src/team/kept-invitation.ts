const place = 'bench-invitation'

/**
 * The secret of an invitation: from the link, whose part behind `#` no browser sends, else as it was kept
 * in this tab before a sign-in, which comes back without it. Takes it out of the address.
 */
export function takeInvitation(): string | undefined {
  const secret = location.hash.slice(1)
  if (secret !== '') {
    sessionStorage.setItem(place, secret)
    history.replaceState(history.state, '', location.pathname)
  }
  return sessionStorage.getItem(place) ?? undefined
}

export const dropInvitation = (): void => sessionStorage.removeItem(place)
