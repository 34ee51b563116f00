import { PythonError, type PyValue } from './python-values.ts'

/** A parameter of a function; without `otherwise` it must be given. */
export type Parameter = { name: string; otherwise?: PyValue }

/** A function that calls and tasks name. `Gives` is what it returns. */
export type PyFunction<State, Gives> = { parameters: readonly Parameter[]; run(state: State, ...values: PyValue[]): Gives }

/**
 * The values that a call `name(**given)` of a method binds, in the order of its parameters. Throws `PythonError` in CPython 3.12's words.
 * `owner`: the class that defines the method.
 */
export function bindArguments(
  owner: string,
  name: string,
  parameters: readonly Parameter[],
  given: ReadonlyMap<string, PyValue>,
): PyValue[] {
  for (const key of given.keys()) {
    if (key === 'self') throw new PythonError(`${owner}.${name}() got multiple values for argument 'self'`)
    if (!parameters.some((parameter) => parameter.name === key))
      throw new PythonError(`${owner}.${name}() got an unexpected keyword argument '${key}'`)
  }
  const missing = parameters.filter((parameter) => parameter.otherwise === undefined && !given.has(parameter.name))
  if (missing.length > 0) throw new PythonError(`${owner}.${name}() missing ${missingText(missing.map((parameter) => parameter.name))}`)
  return parameters.map((parameter) => given.get(parameter.name) ?? parameter.otherwise ?? null)
}

function missingText(names: readonly string[]): string {
  const shown = names.map((name) => `'${name}'`)
  const last = shown.at(-1)
  const listed = shown.length < 3 ? shown.join(' and ') : `${shown.slice(0, -1).join(', ')}, and ${last}`
  return `${names.length} required positional argument${names.length === 1 ? '' : 's'}: ${listed}`
}

/** Names that the method which passes a call on takes for itself: what it says of a call that gives them too. Any tool, also one there is none of. */
export function refuseTaken(given: ReadonlyMap<string, PyValue>): void {
  if (given.has('requestor'))
    throw new PythonError("tau2.environment.environment.Environment.make_tool_call() got multiple values for keyword argument 'requestor'")
  for (const key of given.keys())
    if (key === 'self' || key === 'tool_name')
      throw new PythonError(`Environment.make_tool_call() got multiple values for argument '${key}'`)
}
