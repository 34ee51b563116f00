import type { Bill, Company, Customer, Device, Line, Plan } from './company.ts'
import { PythonError, type PyValue, pyStr } from './python-values.ts'

/** The first that fits, or what is raised where none does: `… with <by> <wanted> not found`. */
function find<T>(list: readonly T[], fits: (one: T) => boolean, what: string, wanted: PyValue): T {
  const found = list.find(fits)
  if (found === undefined) throw new PythonError(`${what} ${pyStr(wanted)} not found`)
  return found
}

export const lineById = ({ lines }: Company, id: PyValue): Line => find(lines, (line) => line.line_id === id, 'Line with ID', id)
export const lineByPhone = ({ lines }: Company, phone: PyValue): Line =>
  find(lines, (line) => line.phone_number === phone, 'Line with phone number', phone)
export const planById = ({ plans }: Company, id: PyValue): Plan => find(plans, (plan) => plan.plan_id === id, 'Plan with ID', id)
export const deviceById = ({ devices }: Company, id: PyValue): Device =>
  find(devices, (device) => device.device_id === id, 'Device with ID', id)
export const billById = ({ bills }: Company, id: PyValue): Bill => find(bills, (bill) => bill.bill_id === id, 'Bill with ID', id)
export const customerById = ({ customers }: Company, id: PyValue): Customer =>
  find(customers, (customer) => customer.customer_id === id, 'Customer with ID', id)

/** By the number of the customer or of one of the customer's lines; a line that is missing raises before later customers are looked at. */
export const customerByPhone = (company: Company, phone: PyValue): Customer =>
  find(
    company.customers,
    (customer) => customer.phone_number === phone || customer.line_ids.some((id) => lineById(company, id).phone_number === phone),
    'Customer with phone number',
    phone,
  )

/** A line that the customer owns. */
export function lineOf(company: Company, customerId: PyValue, lineId: PyValue): Line {
  const customer = customerById(company, customerId)
  if (!customer.line_ids.some((id) => id === lineId))
    throw new PythonError(`Line ${pyStr(lineId)} not found for customer ${pyStr(customerId)}`)
  return lineById(company, lineId)
}

export const billsOf = (company: Company, customer: Customer): Bill[] => customer.bill_ids.map((id) => billById(company, id))
export const billsAwaitingPayment = (company: Company, customer: Customer): Bill[] =>
  billsOf(company, customer).filter((bill) => bill.status === 'Awaiting Payment')
