export { BudgetObject } from '../budget-object.ts'
export { FleetObject } from '../fleet-object.ts'
export { RunObject } from '../run-object.ts'
export { SessionObject } from '../session-object.ts'

/** A Worker with nothing but the objects, for tests inside workerd. */
export default { fetch: () => new Response(null, { status: 404 }) }
