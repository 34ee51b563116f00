import type { Bill } from './company.ts'
import { billById, billsAwaitingPayment, billsOf, customerById, lineById, lineOf, planById } from './lookups.ts'
import { asFloat, type Dumpable, fixed2, PythonError, type PyValue, positiveAmount, pyStr } from './python-values.ts'
import { lastCycle, nextCycle, type Telecom, today } from './telecom-state.ts'

/** The newest first. `limit` cuts as a slice `[:limit]` does. */
export function listBills({ company }: Telecom, customerId: PyValue, limit: PyValue): Bill[] {
  const bills = billsOf(company, customerById(company, customerId))
  const sorted = bills.toSorted((a, b) => (a.issue_date === b.issue_date ? 0 : a.issue_date < b.issue_date ? 1 : -1))
  if (limit === null) return sorted
  if (typeof limit !== 'bigint' && typeof limit !== 'boolean')
    throw new PythonError('slice indices must be integers or None or have an __index__ method')
  return sorted.slice(0, Number(limit))
}

export function sendPaymentRequest({ company }: Telecom, customerId: PyValue, billId: PyValue): string {
  const customer = customerById(company, customerId)
  if (billsAwaitingPayment(company, customer).length > 0) throw new PythonError('A bill is already awaiting payment for this customer')
  if (!customer.bill_ids.some((id) => id === billId))
    throw new PythonError(`Bill ${pyStr(billId)} not found for customer ${pyStr(customerId)}`)
  const bill = billById(company, billId)
  bill.status = 'Awaiting Payment'
  return `Payment request sent to the customer for bill ${bill.bill_id}`
}

/** Adds data to a line; it is charged with the next bill. */
export function refuelData(telecom: Telecom, customerId: PyValue, lineId: PyValue, gb: PyValue): Dumpable {
  const line = lineOf(telecom.company, customerId, lineId)
  const amount = positiveAmount(gb, 'Refuel amount must be positive')
  const price = planById(telecom.company, line.plan_id).data_refueling_price_per_gb
  const charge = asFloat(gb, amount) * price
  line.data_refueling_gb += amount
  const bill = draftBill(telecom, customerId)
  bill.line_items.push({
    description: `Data refueling: ${pyStr(gb)} GB at $${pyStr(price)}/GB`,
    amount: charge,
    date: today,
    item_type: charge < 0 ? 'Credit' : 'Charge',
  })
  bill.total_due += charge
  return {
    message: `Successfully added ${pyStr(gb)} GB of data for line ${line.line_id} for $${fixed2(charge)}`,
    new_data_refueling_gb: pyStr(line.data_refueling_gb),
    charge: pyStr(charge),
  }
}

/** The customer's bill that is not issued yet. Where there is none it is made; upstream draws its id at random, here it is counted. */
function draftBill(telecom: Telecom, customerId: PyValue): Bill {
  const customer = customerById(telecom.company, customerId)
  for (const id of customer.bill_ids) {
    const bill = billById(telecom.company, id)
    if (bill.status === 'Draft') return bill
  }
  telecom.billsMade++
  const id = `B${telecom.billsMade.toString(16).padStart(8, '0')}`
  return addBill(telecom, customer.customer_id, id, 'Draft', nextCycle)
}

function addBill({ company }: Telecom, customerId: string, id: string, status: Bill['status'], cycle: typeof nextCycle): Bill {
  const bill: Bill = {
    bill_id: id,
    customer_id: customerId,
    period_start: cycle.start,
    period_end: cycle.end,
    issue_date: cycle.start,
    total_due: 0,
    due_date: cycle.due,
    line_items: [],
    status,
  }
  company.bills.push(bill)
  customerById(company, customerId).bill_ids.push(id)
  return bill
}

/** What a task begins with: the line is suspended for a bill of last month, which may be the last of its contract. */
export function suspendForOverdueBill(telecom: Telecom, customerId: PyValue, lineId: PyValue, billId: PyValue, ended: PyValue): string {
  const { company } = telecom
  const line = lineById(company, lineId)
  if (line.status !== 'Active') throw new PythonError('Line must be active to suspend for unpaid bill')
  const amount = planById(company, line.plan_id).price_per_month
  if (amount <= 0) throw new PythonError('Amount must be positive for overdue bill')
  const customer = customerById(company, customerId)
  if (billsOf(company, customer).some((bill) => bill.status === 'Overdue')) throw new PythonError('Customer already has an overdue bill')
  if (typeof billId !== 'string') throw new PythonError('bill_id: Input should be a valid string')
  const bill = addBill(telecom, customer.customer_id, billId, 'Overdue', lastCycle)
  bill.line_items.push({ description: `Charge for line ${line.line_id}`, amount, date: today, item_type: 'Charge' })
  bill.total_due += amount
  line.status = 'Suspended'
  line.suspension_start_date = today
  if (pyTruth(ended)) line.contract_end_date = lastCycle.end
  return `Line ${line.line_id} suspended for unpaid bill ${billId}. Contract ended: ${pyStr(ended)}`
}

const pyTruth = (value: PyValue): boolean =>
  Array.isArray(value) ? value.length > 0 : value instanceof Map ? value.size > 0 : Boolean(value)
