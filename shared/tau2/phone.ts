import * as z from 'zod'
import type { PyValue } from './python-values.ts'

const maybe = <T extends z.ZodType>(schema: T) => schema.nullable().default(null as never) // null is what it holds
const off = z.boolean().default(false)

export const networkModes = ['4g_5g_preferred', '4g_only', '3g_only', '2g_only'] as const
export const apnNames = ['internet', 'broken'] as const

const Technology = z.enum(['none', '2G', '3G', '4G', '5G'])
const Strength = z.enum(['none', 'poor', 'fair', 'good', 'excellent'])
export type Technology = z.infer<typeof Technology>
export type Strength = z.infer<typeof Strength>

/** Settings of the access point; what `set_apn_settings` makes of a dictionary too. */
export const ApnSettings = z.strictObject({
  apn_name: z.enum(apnNames).default('internet'),
  reset_at_reboot: off,
  mms_apn: z.string().nullable().default('mms'),
  mmsc_url: z.string().nullable().default('http://mms.carrier.com/mms/wapenc'),
  mms_proxy: maybe(z.string()),
  mms_port: maybe(z.int().transform(BigInt)),
})
export type ApnSettings = z.infer<typeof ApnSettings>

const VpnDetails = z.strictObject({
  server_address: maybe(z.string()),
  protocol: maybe(z.string()),
  server_performance: z.enum(['unknown', 'poor', 'fair', 'good', 'excellent']).default('unknown'),
})
export type VpnDetails = z.infer<typeof VpnDetails>

export const permissionNames = ['sms', 'storage', 'phone', 'network'] as const
const AppStatus = z.strictObject({
  app_name: z.string(),
  permissions: z.strictObject({ sms: off, storage: off, phone: off, network: off }).prefault({}),
})
export type AppStatus = z.infer<typeof AppStatus>

const apps = () => ({
  messaging: { app_name: 'messaging', permissions: { sms: true, storage: true, phone: true } },
  browser: { app_name: 'browser', permissions: { network: true, storage: true } },
})

const Device = z.strictObject({
  sim_card_status: z.enum(['active', 'missing', 'locked_pin', 'locked_puk']).default('active'),
  sim_card_missing: off,
  airplane_mode: off,
  network_signal_strength: Strength.default('good'),
  network_technology_connected: Technology.default('5G'),
  network_connection_status: z.enum(['connected', 'searching', 'no_service', 'emergency_only']).default('connected'),
  battery_level: z.int().default(80).transform(BigInt),
  data_enabled: z.boolean().default(true),
  roaming_enabled: off,
  // A string is one of the modes. A call may leave anything else there that is no string: Python does not check what is assigned.
  network_mode_preference: z
    .enum(networkModes)
    .default('4g_5g_preferred')
    .transform((mode): PyValue => mode),
  // The same holds here for everything that is no dictionary.
  active_apn_settings: ApnSettings.prefault({}).transform((settings): ApnSettings | Exclude<PyValue, Map<string, PyValue>> => settings),
  wifi_enabled: off,
  wifi_connected: off,
  wifi_ssid: maybe(z.string()),
  wifi_signal_strength: Strength.default('none'),
  wifi_calling_enabled: off,
  wifi_calling_mms_over_wifi: off,
  data_saver_mode: off,
  vpn_enabled_setting: off,
  vpn_connected: off,
  vpn_details: maybe(VpnDetails),
  app_statuses: z.record(z.string(), AppStatus).prefault(apps),
})

const PaymentRequest = z.strictObject({ bill_id: z.string(), amount_due: z.number(), paid: off })

const Surroundings = z.strictObject({
  name: maybe(z.string()),
  phone_number: maybe(z.string()),
  is_abroad: off,
  roaming_allowed: off,
  signal_strength: z
    .partialRecord(Technology, Strength)
    .default((): Partial<Record<Technology, Strength>> => ({ '2G': 'poor', '3G': 'fair', '4G': 'good', '5G': 'excellent' })),
  mobile_data_usage_exceeded: off,
  line_active: z.boolean().default(true),
  payment_request: maybe(PaymentRequest),
})

/** The user's data base: the phone in hand and what is around it. Numbers as in `Company`. */
export const Phone = z.strictObject({ device: Device.prefault({}), surroundings: Surroundings.prefault({}) })
export type Phone = z.infer<typeof Phone>
