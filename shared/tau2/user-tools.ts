import type { ToolFunction } from './agent-tools.ts'
import type { Parameter } from './call-function.ts'
import { apnSettings, canSendMms, measureSpeed, simStatus, statusBar } from './network.ts'
import type { Phone } from './phone.ts'
import { appPermissions, appStatus, grantPermission } from './phone-apps.ts'
import {
  connectVpn,
  disconnectVpn,
  modeText,
  onOff,
  reboot,
  reseatSim,
  resetApn,
  setApn,
  setNetworkMode,
  toggle,
  toggleAirplaneMode,
  toggleWifi,
  withStatusBar,
} from './phone-settings.ts'
import { type PyValue, pyRepr, pyStr } from './python-values.ts'
import type { Telecom } from './telecom-state.ts'

const reads = (run: (phone: Phone) => string): ToolFunction => ({ parameters: [], changes: false, run: ({ phone }) => run(phone) })
const changes = (run: ToolFunction['run'], ...parameters: Parameter[]): ToolFunction => ({ parameters, changes: true, run })
const app: Parameter = { name: 'app_name' }

/** A switch: what it is called, and the state it came to. */
const switches = (name: string, flip: (telecom: Telecom) => boolean): ToolFunction =>
  changes((telecom) => {
    const text = `${name} is now ${onOff(flip(telecom))}.`
    return withStatusBar(text, telecom.phone)
  })

function networkStatus(phone: Phone): string {
  const { device } = phone
  const yesNo = (yes: boolean) => (yes ? 'Yes' : 'No')
  const lines = [
    `Airplane Mode: ${onOff(device.airplane_mode)}`,
    `SIM Card Status: ${simStatus(phone)}`,
    `Cellular Connection: ${device.network_connection_status}`,
    `Cellular Signal: ${device.network_signal_strength}`,
    `Cellular Network Type: ${device.network_technology_connected}`,
    `Mobile Data Enabled: ${yesNo(device.data_enabled)}`,
    `Data Roaming Enabled: ${yesNo(device.roaming_enabled)}`,
    `Wi-Fi Radio: ${onOff(device.wifi_enabled)}`,
    `Wi-Fi Connected: ${yesNo(device.wifi_connected)}`,
  ]
  if (device.wifi_connected) lines.push(`Connected Wi-Fi Network: ${pyStr(device.wifi_ssid)}`)
  return lines.join('\n')
}

const advice: Readonly<Record<string, string>> = {
  'Very Poor': 'Connection is very slow. Basic web browsing might be difficult.',
  Poor: 'Connection is slow. Web browsing may be sluggish, streaming difficult.',
  Fair: 'Connection is okay for web browsing and some standard definition streaming.',
  Good: 'Connection is good for most activities, including HD streaming.',
  Excellent: 'Connection is very fast.',
}

function speedTest(phone: Phone): string {
  const { mbps, description } = measureSpeed(phone)
  if (mbps === null) return `Speed test failed: ${description}.`
  return `Speed Test Result: ${mbps.toFixed(2)} Mbps (${description}). ${advice[description]}`
}

const simTexts: Readonly<Record<Phone['device']['sim_card_status'], string>> = {
  active: 'Your SIM card is active and working.',
  missing: 'No SIM card detected in the phone.',
  locked_pin: 'The SIM card is locked with a PIN code.',
  locked_puk: 'The SIM card is locked with a PUK code.',
}

function apnText(phone: Phone): string {
  const { apn_name, mmsc_url } = apnSettings(phone, 'model_copy')
  return `Current APN Name: ${apn_name}\nMMSC URL (for picture messages): ${mmsc_url || 'Not Set'}\n(These are technical settings, usually best left unchanged.)`
}

function wifiStatus({ device }: Phone): string {
  if (!device.wifi_enabled) return 'Wi-Fi is turned OFF.'
  if (!device.wifi_connected) return 'Wi-Fi is ON but not connected to any network.'
  return `Wi-Fi is ON and connected to '${pyStr(device.wifi_ssid)}'. Signal strength: ${device.wifi_signal_strength}.`
}

function vpnStatus({ device }: Phone): string {
  if (!device.vpn_connected) {
    return device.vpn_enabled_setting ? 'VPN is turned ON in settings, but currently not connected.' : 'VPN is turned OFF.'
  }
  const details = device.vpn_details
  if (!details) return 'VPN is ON and connected (no specific details available).'
  const { server_address, protocol, server_performance: performance } = details
  // A dictionary as Python prints it, with a member of an enumeration in it.
  return `VPN is ON and connected. Details: {'server_address': ${pyRepr(server_address)}, 'protocol': ${pyRepr(protocol)}, 'server_performance': <PerformanceLevel.${performance.toUpperCase()}: '${performance}'>}`
}

function paymentRequest({ surroundings }: Phone): string {
  const request = surroundings.payment_request
  if (!request) return 'No payment request has been made.'
  return `You have a payment request for bill ${request.bill_id} of ${pyStr(request.amount_due)} USD.`
}

function makePayment({ phone: { surroundings } }: Telecom): string {
  const request = surroundings.payment_request
  if (!request) return 'You do not have a payment request.'
  request.paid = true
  return `Payment of ${pyStr(request.amount_due)} USD has been made for bill ${request.bill_id}.`
}

function flipWifi({ phone }: Telecom): string {
  const on = toggleWifi(phone)
  const text = on === null ? 'Cannot change Wi-Fi settings while Airplane Mode is ON.' : `Wi-Fi is now ${onOff(on)}.`
  return withStatusBar(text, phone)
}

function connect(telecom: Telecom): string {
  return connectVpn(telecom) ? withStatusBar('VPN connected successfully.', telecom.phone) : 'VPN already connected.'
}

function disconnect(telecom: Telecom): string {
  const text = disconnectVpn(telecom) ? 'VPN disconnected successfully.' : 'No active VPN connection to disconnect.'
  return withStatusBar(text, telecom.phone)
}

function grant(telecom: Telecom, name: PyValue, permission: PyValue): string {
  const { done, text } = grantPermission(telecom, name, permission)
  return withStatusBar(`${done ? 'Success' : 'Error'}. ${text}`, telecom.phone)
}

/** The tools of the user, in the order in which models are told of them. Source: tau2-bench, `src/tau2/domains/telecom/user_tools.py`. */
export const userTools: Readonly<Record<string, ToolFunction>> = {
  check_status_bar: reads((phone) => `Status Bar: ${statusBar(phone)}`),
  check_network_status: reads(networkStatus),
  check_network_mode_preference: reads(({ device }) => `Network Mode Preference: ${modeText(device.network_mode_preference)}`),
  set_network_mode_preference: changes(setNetworkMode, { name: 'mode' }),
  run_speed_test: reads(speedTest),
  toggle_airplane_mode: switches('Airplane Mode', toggleAirplaneMode),
  check_sim_status: reads((phone) => simTexts[simStatus(phone)]),
  reseat_sim_card: changes(reseatSim),
  toggle_data: switches('Mobile Data', ({ phone }) => toggle(phone, 'data_enabled')),
  toggle_roaming: switches('Data Roaming', ({ phone }) => toggle(phone, 'roaming_enabled')),
  check_data_restriction_status: reads(({ device }) =>
    device.data_saver_mode ? 'Data Saver mode is ON (limits data usage).' : 'Data Saver mode is OFF.',
  ),
  toggle_data_saver_mode: switches('Data Saver Mode', ({ phone }) => toggle(phone, 'data_saver_mode')),
  check_apn_settings: reads(apnText),
  set_apn_settings: changes(setApn, { name: 'apn_settings' }),
  reset_apn_settings: changes(resetApn),
  check_wifi_status: reads(wifiStatus),
  toggle_wifi: changes(flipWifi),
  check_wifi_calling_status: reads(({ device }) => `Wi-Fi Calling is currently turned ${onOff(device.wifi_calling_enabled)}.`),
  toggle_wifi_calling: switches('Wi-Fi Calling', ({ phone }) => toggle(phone, 'wifi_calling_enabled')),
  check_vpn_status: reads(vpnStatus),
  connect_vpn: changes(connect),
  disconnect_vpn: changes(disconnect),
  check_installed_apps: reads(
    ({ device }) => `The following apps are installed on the phone: ${Object.keys(device.app_statuses).join(', ')}`,
  ),
  check_app_status: { parameters: [app], changes: false, run: appStatus },
  check_app_permissions: { parameters: [app], changes: false, run: appPermissions },
  grant_app_permission: changes(grant, app, { name: 'permission' }),
  can_send_mms: reads((phone) => `Your messaging app ${canSendMms(phone) ? 'can' : 'cannot'} send MMS messages.`),
  reboot_device: changes(reboot),
  check_payment_request: reads(paymentRequest),
  make_payment: changes(makePayment),
}
