import { billById, billsAwaitingPayment, customerByPhone, lineByPhone, planById } from './lookups.ts'
import type { Telecom } from './telecom-state.ts'

/**
 * Brings the user's surroundings into line with the company's data base, and a paid bill with the surroundings. Throws `PythonError` where there is no
 * such line. Source: tau2-bench, `src/tau2/domains/telecom/environment.py`.
 */
export function syncTelecom({ company, phone: { surroundings } }: Telecom): void {
  const number = surroundings.phone_number
  if (number === null) return
  const line = lineByPhone(company, number)
  surroundings.line_active = line.status === 'Active'
  surroundings.roaming_allowed = line.roaming_enabled
  const plan = planById(company, line.plan_id)
  surroundings.mobile_data_usage_exceeded = line.data_used_gb >= plan.data_limit_gb + line.data_refueling_gb
  if (surroundings.payment_request?.paid) {
    billById(company, surroundings.payment_request.bill_id).status = 'Paid'
    surroundings.payment_request = null
  }
  if (surroundings.payment_request) return
  const [bill] = billsAwaitingPayment(company, customerByPhone(company, number))
  if (bill) surroundings.payment_request = { bill_id: bill.bill_id, amount_due: bill.total_due, paid: false }
}
