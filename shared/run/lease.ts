/** A lease lives this long after its agent was last heard; agents renew every `renewMs` by a message of their own. */
export const leaseMs = 30_000
export const renewMs = 10_000
/** After a closed socket the agent has this long to come back before its trials go to others. */
export const graceMs = 10_000
/** So many agents may vanish while they hold one trial before it is given up as `agent/poison`. */
export const maxDeaths = 3
