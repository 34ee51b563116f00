import { listBills, refuelData, sendPaymentRequest, suspendForOverdueBill } from './bills.ts'
import type { PyFunction } from './call-function.ts'
import type { Customer, Line } from './company.ts'
import { billById, customerById, customerByPhone, deviceById, lineById, lineOf, planById } from './lookups.ts'
import { type Dumpable, PythonError, type PyValue, pyStr, stringWith } from './python-values.ts'
import { cycleEnd, type Telecom, today } from './telecom-state.ts'

/** A tool as a function: `changes` says that it changes something, so that it is replayed when a dialogue is evaluated. */
export type ToolFunction = PyFunction<Telecom, Dumpable> & { changes: boolean }
/** Functions that only tasks call: what they begin with, and what is asserted. */
export type TaskFunction = PyFunction<Telecom, Dumpable>

const customer = { name: 'customer_id' }
const line = { name: 'line_id' }

function byName({ company }: Telecom, name: PyValue, birth: PyValue): Customer[] {
  return company.customers.filter(
    (one) => one.full_name.toLowerCase() === stringWith(name, 'lower').toLowerCase() && one.date_of_birth === birth,
  )
}

function byId({ company }: Telecom, value: PyValue): Dumpable {
  const id = stringWith(value, 'startswith')
  if (id.startsWith('L')) return lineById(company, id)
  if (id.startsWith('D')) return deviceById(company, id)
  if (id.startsWith('B')) return billById(company, id)
  if (id.startsWith('C')) return customerById(company, id)
  if (id.startsWith('P')) return planById(company, id)
  throw new PythonError(`Unknown ID format or type: ${id}`)
}

function suspendLine({ company }: Telecom, customerId: PyValue, lineId: PyValue): Dumpable {
  const target = lineOf(company, customerId, lineId)
  if (target.status !== 'Active') throw new PythonError('Line must be active to suspend')
  target.status = 'Suspended'
  target.suspension_start_date = today
  return { message: 'Line suspended successfully. $5/month holding fee will apply.', line: target }
}

function resumeLine({ company }: Telecom, customerId: PyValue, lineId: PyValue): Dumpable {
  const target = lineOf(company, customerId, lineId)
  if (target.status !== 'Suspended' && target.status !== 'Pending Activation') throw new PythonError('Line must be suspended to resume')
  target.status = 'Active'
  target.suspension_start_date = null
  return { message: 'Line resumed successfully', line: target }
}

// Numbers in what is no record of the data base are given as texts.
function dataUsage({ company }: Telecom, customerId: PyValue, lineId: PyValue): Dumpable {
  const target = lineOf(company, customerId, lineId)
  return {
    line_id: target.line_id,
    data_used_gb: pyStr(target.data_used_gb),
    data_limit_gb: pyStr(planById(company, target.plan_id).data_limit_gb),
    data_refueling_gb: pyStr(target.data_refueling_gb),
    cycle_end_date: cycleEnd,
  }
}

function setRoaming({ company }: Telecom, customerId: PyValue, lineId: PyValue, enabled: boolean): string {
  const target = lineOf(company, customerId, lineId)
  const word = enabled ? 'enabled' : 'disabled'
  if (target.roaming_enabled === enabled) return `Roaming was already ${word}`
  target.roaming_enabled = enabled
  return `Roaming ${word} successfully`
}

/** The tools of the agent, in the order in which models are told of them. Source: tau2-bench, `src/tau2/domains/telecom/tools.py`. */
export const agentTools: Readonly<Record<string, ToolFunction>> = {
  get_customer_by_phone: {
    parameters: [{ name: 'phone_number' }],
    changes: false,
    run: ({ company }, phone) => customerByPhone(company, phone),
  },
  get_customer_by_id: { parameters: [customer], changes: false, run: ({ company }, id) => customerById(company, id) },
  get_customer_by_name: {
    parameters: [{ name: 'full_name' }, { name: 'dob' }],
    changes: false,
    run: byName,
  },
  get_details_by_id: { parameters: [{ name: 'id' }], changes: false, run: byId },
  suspend_line: { parameters: [customer, line, { name: 'reason' }], changes: true, run: suspendLine },
  resume_line: { parameters: [customer, line], changes: true, run: resumeLine },
  get_bills_for_customer: {
    parameters: [customer, { name: 'limit', otherwise: 12n }],
    changes: false,
    run: listBills,
  },
  send_payment_request: {
    parameters: [customer, { name: 'bill_id' }],
    changes: true,
    run: sendPaymentRequest,
  },
  get_data_usage: { parameters: [customer, line], changes: false, run: dataUsage },
  enable_roaming: { parameters: [customer, line], changes: true, run: (telecom, owner, id) => setRoaming(telecom, owner, id, true) },
  disable_roaming: { parameters: [customer, line], changes: true, run: (telecom, owner, id) => setRoaming(telecom, owner, id, false) },
  transfer_to_human_agents: { parameters: [{ name: 'summary' }], changes: false, run: () => 'Transfer successful' },
  refuel_data: {
    parameters: [customer, line, { name: 'gb_amount' }],
    changes: true,
    run: refuelData,
  },
}

function setDataUsage({ company }: Telecom, customerId: PyValue, lineId: PyValue, used: PyValue): string {
  const target: Line = lineOf(company, customerId, lineId)
  if (typeof used !== 'number' && typeof used !== 'bigint') throw new PythonError('data_used_gb: Input should be a valid number')
  target.data_used_gb = used
  return `Data usage set to ${pyStr(used)} GB for line ${target.line_id}`
}

function refueledAsExpected({ company }: Telecom, customerId: PyValue, lineId: PyValue, expected: PyValue): boolean {
  const target = lineOf(company, customerId, lineId)
  if (typeof expected !== 'number' && typeof expected !== 'bigint') throw new PythonError('expected_amount: Input should be a valid number')
  return Math.abs(target.data_refueling_gb - Number(expected)) < 1e-6
}

function overdueBillExists({ company }: Telecom, customerId: PyValue, billId: PyValue): boolean {
  if (!customerById(company, customerId).bill_ids.some((id) => id === billId))
    throw new PythonError(`Overdue bill ${pyStr(billId)} not found`)
  if (billById(company, billId).status !== 'Overdue') throw new PythonError(`Overdue bill ${pyStr(billId)} is not overdue`)
  return true
}

/** What tasks call on the agent's side besides its tools. */
export const agentTaskFunctions: Readonly<Record<string, TaskFunction>> = {
  get_available_plan_ids: { parameters: [], run: ({ company }) => company.plans.map((plan) => plan.plan_id) },
  set_data_usage: {
    parameters: [customer, line, { name: 'data_used_gb' }],
    run: setDataUsage,
  },
  suspend_line_for_overdue_bill: {
    parameters: [customer, line, { name: 'new_bill_id' }, { name: 'contract_ended' }],
    run: suspendForOverdueBill,
  },
  assert_data_refueling_amount: {
    parameters: [customer, line, { name: 'expected_amount' }],
    run: refueledAsExpected,
  },
  assert_line_status: {
    parameters: [customer, line, { name: 'expected_status' }],
    run: ({ company }, owner, id, expected) => lineOf(company, owner, id).status === expected,
  },
  assert_overdue_bill_exists: {
    parameters: [customer, { name: 'overdue_bill_id' }],
    run: overdueBillExists,
  },
  assert_no_overdue_bill: {
    parameters: [{ name: 'overdue_bill_id' }],
    run: ({ company }, id) =>
      company.bills.find((bill) => bill.bill_id === id)?.status === 'Paid' || !company.bills.some((bill) => bill.bill_id === id),
  },
}
