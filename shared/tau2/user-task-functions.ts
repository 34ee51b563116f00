import type { TaskFunction } from './agent-tools.ts'
import { canSendMms, measureSpeed, mobileDataWorks, searchNetwork } from './network.ts'
import type { Phone } from './phone.ts'
import { removePermission } from './phone-apps.ts'
import {
  breakApn,
  breakApnMms,
  breakVpn,
  lockSim,
  onOff,
  setWifiCalling,
  toggle,
  toggleAirplaneMode,
  turn,
  unseatSim,
} from './phone-settings.ts'
import { PythonError, type PyValue, pyRepr } from './python-values.ts'
import type { Telecom } from './telecom-state.ts'

const does = (run: (telecom: Telecom) => string): TaskFunction => ({ parameters: [], run })
const expected = { name: 'expected_status' }
// To Python 1 is True.
const isStatus = (status: (phone: Phone) => boolean): TaskFunction => ({
  parameters: [expected],
  run: ({ phone }, wanted) =>
    typeof wanted !== 'string' && wanted !== null && typeof wanted !== 'object' && Number(wanted) === Number(status(phone)),
})

function turns(name: string, flip: (telecom: Telecom) => boolean, on: boolean): TaskFunction {
  return does((telecom) => {
    turn(() => flip(telecom), on)
    return `${name} is now ${onOff(on)}.`
  })
}
const roaming = ({ phone }: Telecom) => toggle(phone, 'roaming_enabled')
const saver = ({ phone }: Telecom) => toggle(phone, 'data_saver_mode')

function setUserInfo({ phone: { surroundings } }: Telecom, name: PyValue, number: PyValue): null {
  if (typeof name !== 'string' || typeof number !== 'string') throw new PythonError('Input should be a valid string')
  surroundings.name = name
  surroundings.phone_number = number
  return null
}

function setUserLocation({ phone: { surroundings } }: Telecom, abroad: PyValue): null {
  if (typeof abroad !== 'boolean') throw new PythonError('Input should be a valid boolean')
  surroundings.is_abroad = abroad
  return null
}

function dataOn({ phone }: Telecom): string {
  phone.device.data_enabled = true
  return 'Data connection restored.'
}

function dataOff({ phone }: Telecom): string {
  turn(() => toggle(phone, 'data_enabled'), false)
  return 'Data connection broken.'
}

const statuses = ['connected', 'searching', 'no_service', 'emergency_only']
function serviceStatus({ phone }: Telecom, wanted: PyValue): boolean {
  if (!statuses.some((status) => status === wanted)) throw new PythonError(`${pyRepr(wanted)} is not a valid NetworkStatus`)
  return phone.device.network_connection_status === wanted
}

function fastEnough({ phone }: Telecom, wanted: PyValue, description: PyValue): boolean {
  if (typeof wanted !== 'number' && typeof wanted !== 'bigint') throw new PythonError('expected_speed: Input should be a valid number')
  const speed = measureSpeed(phone)
  if ((speed.mbps ?? 0) < wanted) return false
  if (description === null) return true
  if (typeof description !== 'string') throw new PythonError('expected_desc: Input should be a valid string')
  return speed.description.toLowerCase() === description.toLowerCase()
}

/** What tasks call on the user's side besides the tools. Source: tau2-bench, `src/tau2/domains/telecom/user_tools.py`. */
export const userTaskFunctions: Readonly<Record<string, TaskFunction>> = {
  set_user_info: { parameters: [{ name: 'name' }, { name: 'phone_number' }], run: setUserInfo },
  set_user_location: { parameters: [{ name: 'abroad' }], run: setUserLocation },
  turn_airplane_mode_on: turns('Airplane Mode', toggleAirplaneMode, true),
  turn_airplane_mode_off: turns('Airplane Mode', toggleAirplaneMode, false),
  unseat_sim_card: does(unseatSim),
  lock_sim_card: { parameters: [{ name: 'mode' }], run: lockSim },
  turn_data_on: does(dataOn),
  turn_data_off: does(dataOff),
  turn_roaming_on: turns('Data Roaming', roaming, true),
  turn_roaming_off: turns('Data Roaming', roaming, false),
  turn_data_saver_mode_on: turns('Data Saver Mode', saver, true),
  turn_data_saver_mode_off: turns('Data Saver Mode', saver, false),
  break_apn_settings: does(breakApn),
  break_apn_mms_setting: does(breakApnMms),
  set_wifi_calling: { parameters: [{ name: 'enabled' }, { name: 'mms_over_wifi', otherwise: null }], run: setWifiCalling },
  break_vpn: does(breakVpn),
  remove_app_permission: {
    parameters: [{ name: 'app_name' }, { name: 'permission' }],
    run: (telecom, name, permission) => {
      const { done, text } = removePermission(telecom, name, permission)
      return [done, text]
    },
  },
  simulate_network_search: {
    parameters: [],
    run: ({ phone }) => {
      searchNetwork(phone)
      return null
    },
  },
  assert_airplane_mode_status: isStatus(({ device }) => device.airplane_mode),
  assert_service_status: { parameters: [expected], run: serviceStatus },
  assert_mobile_data_status: isStatus(mobileDataWorks),
  assert_mobile_roaming_status: isStatus(({ device }) => device.roaming_enabled),
  assert_mobile_data_saver_mode_status: isStatus(({ device }) => device.data_saver_mode),
  assert_internet_speed: { parameters: [{ name: 'expected_speed' }, { name: 'expected_desc', otherwise: null }], run: fastEnough },
  assert_internet_not_excellent: { parameters: [], run: ({ phone }) => measureSpeed(phone).description !== 'Excellent' },
  assert_can_send_mms: isStatus(canSendMms),
  assert_mobile_data_usage_exceeded: isStatus(({ surroundings }) => surroundings.mobile_data_usage_exceeded),
}
