/** A program of a machine: where it is, its checksum (empty where nobody took one), and whether it is a script. */
export type Tool = { file: string; sum: string; form: 'program' | 'script' | 'wrapper' }

/**
 * The tools of a machine by name, null where it has no bash to tell; what stands at the entrances, by path; and which of the folders that were asked for hold
 * nothing at all.
 */
export type Tools = { listed: ReadonlyMap<string, Tool> | null; entrances: ReadonlyMap<string, string>; empty: readonly string[] }

/** What a machine shows before anybody works in it. `own_tests`: its image has a `/tests`. */
export type MachineSight = { tools: Tools; own_tests: boolean }

/** What machines that began exactly alike have in common: what was seen of the first of them, null as long as nobody has looked. */
export type Likeness = { sight: MachineSight | null }
