import { checkApnSettings } from './check-apn-settings.ts'
import { apnSettings, canSendMms, searchNetwork, simStatus, statusBar } from './network.ts'
import { ApnSettings, networkModes, type Phone } from './phone.ts'
import { PythonError, type PyValue, pyStr, typeName } from './python-values.ts'
import type { Telecom } from './telecom-state.ts'

export const withStatusBar = (text: string, phone: Phone): string => `${text}\nStatus Bar: ${statusBar(phone)}`
export const onOff = (on: boolean): string => (on ? 'ON' : 'OFF')

export function toggleAirplaneMode(telecom: Telecom): boolean {
  const { device } = telecom.phone
  const wasOn = device.airplane_mode
  device.airplane_mode = !wasOn
  if (wasOn) device.network_connection_status = 'searching'
  if (!wasOn || device.wifi_enabled) loseWifi(telecom.phone)
  if (!wasOn) disconnectVpn(telecom)
  searchNetwork(telecom.phone)
  return device.airplane_mode
}

function loseWifi({ device }: Phone): void {
  device.wifi_connected = false
  device.wifi_ssid = null
  device.wifi_signal_strength = 'none'
}

/** Switches that need nothing but a search afterwards, if that. */
export function toggle(phone: Phone, setting: 'data_enabled' | 'roaming_enabled' | 'data_saver_mode' | 'wifi_calling_enabled'): boolean {
  const { device } = phone
  device[setting] = !device[setting]
  if (setting === 'data_enabled' || setting === 'roaming_enabled') searchNetwork(phone)
  return device[setting]
}

/** Toggles once, and once more where it came out the other way: what tasks begin with when they turn something on or off. */
export function turn(toggleOnce: () => boolean, wanted: boolean): void {
  if (toggleOnce() !== wanted) toggleOnce()
}

/** Null in airplane mode, where nothing changes. */
export function toggleWifi(phone: Phone): boolean | null {
  const { device } = phone
  if (device.airplane_mode) return null
  device.wifi_enabled = !device.wifi_enabled
  if (!device.wifi_enabled) loseWifi(phone)
  return device.wifi_enabled
}

export function setNetworkMode({ phone }: Telecom, mode: PyValue): string {
  const refused = () =>
    withStatusBar(
      `Failed to set network mode: '${pyStr(mode)}' is not a valid option. Please use one of: ${networkModes.join(', ')}`,
      phone,
    )
  if (typeof mode === 'string' && !networkModes.some((known) => known === mode)) return refused()
  phone.device.network_mode_preference = mode
  searchNetwork(phone)
  return mode === null ? refused() : withStatusBar(`Preferred Network Mode set to: ${modeText(mode)}`, phone)
}

/** `mode.value`: what is no string is no mode. */
export function modeText(mode: PyValue): string {
  if (typeof mode !== 'string') throw new PythonError(`'${typeName(mode)}' object has no attribute 'value'`)
  return mode
}

export function connectVpn({ phone: { device }, vpn }: Telecom): boolean {
  if (device.vpn_connected) return false
  device.vpn_connected = true
  device.vpn_details = vpn
  return true
}

export function disconnectVpn({ phone: { device } }: Telecom): boolean {
  if (!device.vpn_connected) return false
  device.vpn_connected = false
  device.vpn_details = null
  return true
}

/** A slow VPN. Where the phone got its details from is spoiled with them. */
export function breakVpn(telecom: Telecom): string {
  connectVpn(telecom)
  const details = telecom.phone.device.vpn_details
  if (!details) throw new PythonError("'NoneType' object has no attribute 'server_performance'")
  details.server_performance = 'poor'
  return 'VPN connection broken.'
}

/** A dictionary is checked. Anything else is taken as it is, and raises when its name is asked for. */
export function setApn({ phone }: Telecom, value: PyValue): string {
  phone.device.active_apn_settings = value instanceof Map ? checkApnSettings(value) : value
  const text = `APN settings set to: ${apnSettings(phone, 'apn_name').apn_name}`
  searchNetwork(phone)
  return withStatusBar(text, phone)
}

export function resetApn({ phone }: Telecom): string {
  apnSettings(phone, 'reset_at_reboot').reset_at_reboot = true
  searchNetwork(phone)
  return withStatusBar('APN settings will reset at reboot.', phone)
}

export function breakApn({ phone }: Telecom): string {
  apnSettings(phone, 'apn_name').apn_name = 'broken'
  searchNetwork(phone)
  return 'APN settings broken. Please call reset_apn_settings() to fix.'
}

export function breakApnMms({ phone }: Telecom): string {
  apnSettings(phone, 'mmsc_url').mmsc_url = null
  if (canSendMms(phone)) throw new PythonError('')
  return 'APN MMS setting broken. Please call reset_apn_settings() to fix.'
}

export function reboot({ phone }: Telecom): string {
  const lines: string[] = []
  if (apnSettings(phone, 'reset_at_reboot').reset_at_reboot) {
    lines.push('Resetting APN settings...')
    phone.device.active_apn_settings = ApnSettings.parse({})
  }
  lines.push('Restarting network services...')
  phone.device.network_connection_status = 'searching'
  searchNetwork(phone)
  return withStatusBar(lines.join('\n'), phone)
}

/** A card whose status is that it is missing stays missing: Python asserts that it is not. */
export function reseatSim({ phone }: Telecom): string {
  phone.device.sim_card_missing = false
  searchNetwork(phone)
  if (simStatus(phone) === 'missing') throw new PythonError('')
  return withStatusBar('SIM card re-seated successfully.', phone)
}

export function unseatSim({ phone }: Telecom): string {
  phone.device.sim_card_missing = true
  searchNetwork(phone)
  return 'SIM card un-seated successfully.'
}

export function lockSim({ phone }: Telecom, mode: PyValue): string {
  if (mode === 'pin') phone.device.sim_card_status = 'locked_pin'
  else if (mode === 'puk') phone.device.sim_card_status = 'locked_puk'
  searchNetwork(phone)
  return `SIM card locked successfully in ${pyStr(mode)} mode.`
}

/** `mms` is left as it is where it is null. */
export function setWifiCalling({ phone }: Telecom, enabled: PyValue, mms: PyValue): string {
  if (typeof enabled !== 'boolean') throw new PythonError('enabled: Input should be a valid boolean')
  phone.device.wifi_calling_enabled = enabled
  const text = `Wi-Fi Calling is now ${onOff(enabled)}.`
  if (mms === null) return text
  if (typeof mms !== 'boolean') throw new PythonError('mms_over_wifi: Input should be a valid boolean')
  phone.device.wifi_calling_mms_over_wifi = mms
  return `${text}\nMMS over Wi-Fi is now ${onOff(mms)}.`
}
