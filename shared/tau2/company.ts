import * as z from 'zod'

const float = (otherwise?: number) => (otherwise === undefined ? z.number() : z.number().default(otherwise))
const date = z.string().regex(/^\d{4}-\d{2}-\d{2}$/)
// Python prints a moment with a space in place of the T.
const moment = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
  .transform((text) => text.replace('T', ' '))
const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().default(null as never) // null is what it holds

const Plan = z.strictObject({
  plan_id: z.string(),
  name: z.string(),
  data_limit_gb: float(),
  price_per_month: float(),
  data_refueling_price_per_gb: float(),
})
export type Plan = z.infer<typeof Plan>

const Device = z.strictObject({
  device_id: z.string(),
  device_type: z.enum(['phone', 'router', 'tablet', 'watch', 'other']),
  model: z.string(),
  imei: maybe(z.string()),
  is_esim_capable: z.boolean(),
  activated: z.boolean().default(false),
  activation_date: maybe(moment),
  last_esim_transfer_date: maybe(moment),
})
export type Device = z.infer<typeof Device>

const Line = z.strictObject({
  line_id: z.string(),
  phone_number: z.string(),
  status: z.enum(['Active', 'Suspended', 'Pending Activation', 'Closed']).default('Pending Activation'),
  plan_id: z.string(),
  device_id: maybe(z.string()),
  // A task may set it to a whole number, which stays one.
  data_used_gb: float(0).transform((value): number | bigint => value),
  data_refueling_gb: float(0),
  roaming_enabled: z.boolean().default(false),
  contract_end_date: maybe(date),
  last_plan_change_date: maybe(date),
  last_sim_replacement_date: maybe(date),
  suspension_start_date: maybe(date),
})
export type Line = z.infer<typeof Line>

const LineItem = z.strictObject({ description: z.string(), amount: float(), date, item_type: z.string() })

const Bill = z.strictObject({
  bill_id: z.string(),
  customer_id: z.string(),
  period_start: date,
  period_end: date,
  issue_date: date,
  total_due: float(),
  due_date: date,
  line_items: z.array(LineItem).default(() => []),
  status: z.enum(['Draft', 'Issued', 'Awaiting Payment', 'Paid', 'Overdue', 'Disputed']).default('Draft'),
})
export type Bill = z.infer<typeof Bill>

const PaymentMethod = z.strictObject({
  method_type: z.enum(['Credit Card', 'Debit Card', 'PayPal']),
  account_number_last_4: z.string(),
  expiration_date: z.string(),
})

const Customer = z.strictObject({
  customer_id: z.string(),
  full_name: z.string(),
  date_of_birth: z.string(),
  email: z.string(),
  phone_number: z.string(),
  address: z.strictObject({ street: z.string(), city: z.string(), state: z.string(), zip_code: z.string() }),
  account_status: z.enum(['Active', 'Suspended', 'Pending Verification', 'Closed']).default('Pending Verification'),
  payment_methods: z.array(PaymentMethod).default(() => []),
  line_ids: z.array(z.string()).default(() => []),
  bill_ids: z.array(z.string()).default(() => []),
  created_at: moment.default('2025-01-01'),
  last_extension_date: maybe(date),
  goodwill_credit_used_this_year: float(0),
})
export type Customer = z.infer<typeof Customer>

/** The agent's data base. Whole numbers are `bigint`, floats `number`; dates and moments are texts as Python's `str` gives them. */
export const Company = z.strictObject({
  plans: z.array(Plan).default(() => []),
  customers: z.array(Customer).default(() => []),
  lines: z.array(Line).default(() => []),
  bills: z.array(Bill).default(() => []),
  devices: z.array(Device).default(() => []),
})
export type Company = z.infer<typeof Company>
