import { pythonRound } from '../metrics/round-as-python.ts'
import type { ApnSettings, Phone, Strength, Technology } from './phone.ts'
import { PythonError, typeName } from './python-values.ts'

/** The settings of the access point, to have this attribute read or set; Python raises here where a call left something else in their place. */
export function apnSettings({ device }: Phone, attribute: string): ApnSettings {
  const settings = device.active_apn_settings
  if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return settings
  throw new PythonError(`'${typeName(settings)}' object has no attribute '${attribute}'`)
}

export const simStatus = ({ device }: Phone): Phone['device']['sim_card_status'] =>
  device.sim_card_missing ? 'missing' : device.sim_card_status

/** Which technology the phone looks for, by the preferred mode. */
const searched: Readonly<Record<string, Technology>> = { '4g_5g_preferred': '5G', '4g_only': '4G', '3g_only': '3G', '2g_only': '2G' }

function connect({ device, surroundings }: Phone): void {
  const signal = (technology: Technology): Strength => surroundings.signal_strength[technology] ?? 'none'
  const mode = device.network_mode_preference
  const wanted = (typeof mode === 'string' ? searched[mode] : undefined) ?? '4G'
  const found = wanted === '5G' && signal('5G') === 'none' ? '4G' : wanted
  device.network_connection_status = 'connected'
  device.network_technology_connected = found
  device.network_signal_strength = signal(found)
}

function loseService({ device }: Phone): void {
  device.network_connection_status = 'no_service'
  device.network_technology_connected = 'none'
  device.network_signal_strength = 'none'
}

/** The phone looks for a network: SIM card, airplane mode, access point and line decide what it finds. */
export function searchNetwork(phone: Phone): void {
  if (simStatus(phone) === 'active') connect(phone)
  else loseService(phone)
  if (phone.device.airplane_mode) loseService(phone)
  if (apnSettings(phone, 'apn_name').apn_name === 'broken') loseService(phone)
  if (!phone.surroundings.line_active) loseService(phone)
}

export function mobileDataWorks({ device, surroundings }: Phone): boolean {
  if (device.airplane_mode || device.network_signal_strength === 'none' || device.network_connection_status === 'no_service') return false
  if (surroundings.is_abroad && !(device.roaming_enabled && surroundings.roaming_allowed)) return false
  return device.data_enabled && !surroundings.mobile_data_usage_exceeded
}

export function canSendMms(phone: Phone): boolean {
  const { device } = phone
  if (!mobileDataWorks(phone) || device.network_technology_connected === '2G') return false
  if (device.wifi_calling_enabled && device.wifi_calling_mms_over_wifi) return false
  if (apnSettings(phone, 'mmsc_url').mmsc_url === null) return false
  const permissions = device.app_statuses.messaging?.permissions
  return permissions ? permissions.storage && permissions.sms : false
}

/** Middle of each technology's range in Mbit/s, and what a signal leaves of it. */
const middle: Readonly<Record<Technology, number>> = {
  none: 0,
  '2G': (0.1 + 0.4) / 2,
  '3G': (1 + 5) / 2,
  '4G': (10 + 100) / 2,
  '5G': (50 + 500) / 2,
}
const left: Readonly<Record<Strength, number>> = { none: 0, poor: 0.2, fair: 0.5, good: 0.8, excellent: 1 }

export type Speed = { mbps: number | null; description: string }

/** A speed test of mobile data; no number where there is none. */
export function measureSpeed(phone: Phone): Speed {
  const { device } = phone
  if (!mobileDataWorks(phone)) return { mbps: null, description: 'No Connection' }
  const slowed = device.vpn_connected && device.vpn_details?.server_performance === 'poor' ? 0.1 : 1
  const factor = device.data_saver_mode ? slowed * 0.2 : slowed
  const mbps = pythonRound(middle[device.network_technology_connected] * left[device.network_signal_strength] * factor)
  const description = mbps < 1 ? 'Very Poor' : mbps < 5 ? 'Poor' : mbps < 25 ? 'Fair' : mbps < 100 ? 'Good' : 'Excellent'
  return { mbps, description }
}

const bars: Readonly<Record<Strength, string>> = {
  none: '📵 No Signal',
  poor: '📶¹ Poor',
  fair: '📶² Fair',
  good: '📶³ Good',
  excellent: '📶⁴ Excellent',
}

/** The line at the top of the screen. */
export function statusBar({ device }: Phone): string {
  const shown: string[] = []
  if (device.airplane_mode) shown.push('✈️ Airplane Mode')
  else {
    const technology = device.network_technology_connected
    shown.push(bars[device.network_signal_strength])
    if (technology !== 'none') shown.push(technology)
    if (device.data_enabled && technology !== 'none') shown.push('📱 Data Enabled', ...(device.data_saver_mode ? ['🔽 Data Saver'] : []))
    else shown.push('📵 Data Disabled')
  }
  if (device.wifi_enabled && device.wifi_connected) shown.push(device.wifi_ssid ? `📡 Connected to ${device.wifi_ssid}` : '📡 Enabled')
  if (device.vpn_connected) shown.push('🔒 VPN Connected')
  shown.push(`🔋 ${device.battery_level}%`)
  return shown.join(' | ')
}
