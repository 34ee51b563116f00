/** Scopes of API keys. */
export const scopeNames = ['runs:read', 'runs:write', 'agents:join', 'metrics:read', 'admin'] as const
export type ScopeName = (typeof scopeNames)[number]
