import { expect, test } from 'vitest'
import { readTelecom } from './telecom.ts'
import { inventedTelecom, pythonModel } from './testing/invented-telecom.ts'
import { type Party, WorldBroken } from './world.ts'

const domain = readTelecom(inventedTelecom)
const owner = [{ party: 'user', name: 'set_user_info', args: '{"name": "Ada Öst", "phone_number": "555-0002"}' }] as const

/** A world that knows its user, and short ways to call it. */
function begun() {
  const world = domain.open()
  world.prepare(owner)
  const said = (party: Party, name: string, args = '{}') => world.respond({ party, name, arguments: args }).content
  return {
    world,
    agent: (name: string, args?: string) => said('assistant', name, args),
    user: (name: string, args?: string) => said('user', name, args),
  }
}
const refuel = (gb: string) => `{"customer_id": "C1", "line_id": "L1", "gb_amount": ${gb}}`

test('[TAU2] integers and floats of arguments are kept apart, and numbers printed as Python prints them', () => {
  const { agent } = begun()
  const added = (gb: string, shown: string, price: string, total: string, charge: string) =>
    expect(agent('refuel_data', refuel(gb))).toBe(
      `{"message": "Successfully added ${shown} GB of data for line L1 for $${price}", "new_data_refueling_gb": "${total}", "charge": "${charge}"}`,
    )
  added('2', '2', '5.00', '2.0', '5.0')
  added('2.0', '2.0', '5.00', '4.0', '5.0')
  added('true', 'True', '2.50', '5.0', '2.5')
  // A half goes to the even neighbour: 0.625 is 0.62.
  added('0.25', '0.25', '0.62', '5.25', '0.625')
  added('1e16', '1e+16', '25000000000000000.00', '1.0000000000000006e+16', '2.5e+16')
  added('NaN', 'nan', 'nan', 'nan', 'nan')
  expect(agent('refuel_data', refuel(`1${'0'.repeat(400)}`))).toBe('Error: int too large to convert to float')
  expect(agent('refuel_data', refuel('-0.0'))).toBe('Error: Refuel amount must be positive')
})

test('[TAU2] numbers stay numbers in records and become texts in other answers; what is not ASCII is escaped', () => {
  const { agent } = begun()
  expect(agent('get_details_by_id', '{"id": "P1"}')).toBe(
    '{"plan_id": "P1", "name": "Reed", "data_limit_gb": 5.0, "price_per_month": 30.5, "data_refueling_price_per_gb": 2.5}',
  )
  expect(agent('get_data_usage', '{"customer_id": "C1", "line_id": "L1"}')).toBe(
    '{"line_id": "L1", "data_used_gb": "4.5", "data_limit_gb": "5.0", "data_refueling_gb": "0.0", "cycle_end_date": "2025-02-28"}',
  )
  expect(agent('get_customer_by_name', '{"full_name": "ADA ÖST", "dob": "1990-02-03"}')).toContain('"full_name": "Ada \\u00d6st"')
  expect(agent('get_details_by_id', '{"id": "D1"}')).toContain('"imei": null, "is_esim_capable": true, "activated": false')
})

test('[TAU3] what Python would raise is told in its words', () => {
  const { agent, user } = begun()
  const line = 'TelecomTools.suspend_line()'
  expect(agent('suspend_line')).toBe(`Error: ${line} missing 3 required positional arguments: 'customer_id', 'line_id', and 'reason'`)
  expect(agent('suspend_line', '{"reason": 1}')).toBe(`Error: ${line} missing 2 required positional arguments: 'customer_id' and 'line_id'`)
  expect(user('toggle_data', '{"x": 1}')).toBe("Error: TelecomUserTools.toggle_data() got an unexpected keyword argument 'x'")
  expect(agent('toggle_data')).toBe("Error: Tool 'toggle_data' not found.")
  expect(agent('constructor')).toBe("Error: Tool 'constructor' not found.")
  expect(user('nothing', '{"tool_name": 1, "self": 2}')).toBe(
    "Error: Environment.make_tool_call() got multiple values for argument 'tool_name'",
  )
  expect(user('nothing', '{"self": 1, "requestor": 2}')).toBe(
    "Error: tau2.environment.environment.Environment.make_tool_call() got multiple values for keyword argument 'requestor'",
  )
  expect(agent('refuel_data', refuel('"2"'))).toBe("Error: '<=' not supported between instances of 'str' and 'int'")
  expect(agent('get_details_by_id', '{"id": null}')).toBe("Error: 'NoneType' object has no attribute 'startswith'")
  expect(agent('get_customer_by_id', `{"customer_id": {"a": [1, 2.0, true, null, "it's"]}}`)).toBe(
    `Error: Customer with ID {'a': [1, 2.0, True, None, "it's"]} not found`,
  )
  expect(user('check_app_status', '{"app_name": []}')).toBe("Error: unhashable type: 'list'")
  expect(user('grant_app_permission', '{"app_name": "x", "permission": 5}')).toBe("Error: 'int' object has no attribute 'lower'")
  expect(user('check_app_status', '{"app_name": "__proto__"}')).toBe("App '__proto__' not found on this phone.")
  expect(agent('get_bills_for_customer', '{"customer_id": "C1", "limit": 1.0}')).toBe(
    'Error: slice indices must be integers or None or have an __index__ method',
  )
  expect(domain.open().respond({ party: 'user', name: 'toggle_data', arguments: '[]' }).error).toBe(true)
})

test('[TAU3] what was changed before an error stays changed', () => {
  const { world, user } = begun()
  expect(user('set_network_mode_preference', '{"mode": 5}')).toBe("Error: 'int' object has no attribute 'value'")
  expect(user('check_network_mode_preference')).toBe("Error: 'int' object has no attribute 'value'")
  expect(user('check_status_bar')).toContain('📶³ Good | 4G')
  expect(user('set_network_mode_preference', '{"mode": null}')).toMatch(/^Failed to set network mode: 'None' is not a valid option\./)
  expect(user('set_apn_settings', '{"apn_settings": "x"}')).toBe("Error: 'str' object has no attribute 'apn_name'")
  expect(user('toggle_data')).toBe("Error: 'str' object has no attribute 'apn_name'")
  expect(user('check_apn_settings')).toBe("Error: 'str' object has no attribute 'model_copy'")
  expect(world.state().user).toMatchObject({ device: { active_apn_settings: 'x', data_enabled: false } })
})

test('[TAU6] data bases are read with what their models default to; what the models do not know is refused', () => {
  const { world, user } = begun()
  expect(user('check_status_bar')).toBe('Status Bar: 📶³ Good | 5G | 📱 Data Enabled | 🔋 55%')
  expect(user('check_app_permissions', '{"app_name": "messaging"}')).toBe("App 'messaging' has permission for: sms, storage, phone.")
  expect(world.state().assistant).toMatchObject({
    customers: [{ account_status: 'Pending Verification', created_at: '2024-05-06T07:08:09', last_extension_date: null }],
    lines: [{ device_id: null, data_refueling_gb: 0 }],
  })
  expect(() => readTelecom({ ...inventedTelecom, db_toml: '[[plans]]\nplan = 1\n' })).toThrow()
  const more = inventedTelecom.db_toml.replace('price_per_month', 'bonus_gb = 1\nprice_per_month')
  expect(() => readTelecom({ ...inventedTelecom, db_toml: more })).toThrow('bonus_gb')
  expect(() => readTelecom({ ...inventedTelecom, user_db_toml: 'device = [' })).toThrow(/^user_db\.toml, line 1/)
})

test('[TAU7] after every call the phone knows of its line, its allowance and its bill, and the bill of its payment', () => {
  const { world, agent, user } = begun()
  const around = () => (world.state().user as { surroundings: Record<string, unknown> }).surroundings
  expect(around()).toMatchObject({ line_active: true, roaming_allowed: false, mobile_data_usage_exceeded: false, payment_request: null })

  agent('enable_roaming', '{"customer_id": "C1", "line_id": "L1"}')
  world.prepare([{ party: 'assistant', name: 'set_data_usage', args: '{"customer_id": "C1", "line_id": "L1", "data_used_gb": 5}' }])
  expect(agent('get_data_usage', '{"customer_id": "C1", "line_id": "L1"}')).toContain('"data_used_gb": "5"')
  expect(around()).toMatchObject({ roaming_allowed: true, mobile_data_usage_exceeded: true })
  agent('suspend_line', '{"customer_id": "C1", "line_id": "L1", "reason": "asked"}')
  expect(around()).toMatchObject({ line_active: false })

  expect(agent('send_payment_request', '{"customer_id": "C1", "bill_id": "B2"}')).toBe('Payment request sent to the customer for bill B2')
  expect(user('check_payment_request')).toBe('You have a payment request for bill B2 of 12.0 USD.')
  expect(user('make_payment')).toBe('Payment of 12.0 USD has been made for bill B2.')
  expect(user('check_payment_request')).toBe('No payment request has been made.')
  expect(agent('get_details_by_id', '{"id": "B2"}')).toContain('"status": "Paid"')
})

test('[TAU7] a number that no line has is an error of every call that would succeed, and breaks the world', () => {
  const world = domain.open()
  const stranger = { ...owner[0], args: '{"name": "X", "phone_number": "555-9999"}' }
  expect(() => world.prepare([stranger])).toThrow(WorldBroken)
  const call = { party: 'user', name: 'toggle_wifi', arguments: '{}' } as const
  expect(world.respond(call)).toEqual({ content: 'Error: Line with phone number 555-9999 not found', error: true })
  expect(() => world.sync()).toThrow('Line with phone number 555-9999 not found')
})

test('[TAU8] tasks begin with functions that are no tools, and ask by others; what is unknown breaks the world', () => {
  const { world, agent, user } = begun()
  world.prepare([
    { party: 'user', name: 'turn_airplane_mode_on', args: '{}' },
    { party: 'user', name: 'set_user_location', args: '{"abroad": true}' },
  ])
  const sends = (value: boolean) => world.holds({ party: 'user', name: 'assert_can_send_mms', args: '{"expected_status": true}', value })
  expect([sends(true), sends(false)]).toEqual([false, true])
  user('toggle_airplane_mode')
  user('toggle_roaming')
  expect(sends(true)).toBe(false)
  agent('enable_roaming', '{"customer_id": "C1", "line_id": "L1"}')
  expect(sends(true)).toBe(true)
  const fast = { party: 'user', name: 'assert_internet_speed', value: true } as const
  expect(world.holds({ ...fast, args: '{"expected_speed": 275, "expected_desc": "EXCELLENT"}' })).toBe(true)
  expect(world.holds({ ...fast, args: '{"expected_speed": 275.01}' })).toBe(false)
  expect(world.respond({ party: 'user', name: 'set_user_location', arguments: '{"abroad": false}' }).error).toBe(true)
  expect(() => world.prepare([{ party: 'user', name: 'fly', args: '{}' }])).toThrow(WorldBroken)
  expect(() => world.holds({ party: 'user', name: 'check_status_bar', args: '{}', value: true })).toThrow('did not return a bool')
  expect([world.changes('user', 'toggle_data'), world.changes('user', 'can_send_mms'), world.changes('assistant', 'toggle_data')]).toEqual([
    true,
    false,
    false,
  ])
})

test('[TAU9] what one dialogue did is not in the next; ids of new bills are counted', () => {
  const first = begun()
  first.world.prepare([{ party: 'user', name: 'break_vpn', args: '{}' }])
  first.agent('refuel_data', refuel('1'))
  first.user('disconnect_vpn')
  first.user('connect_vpn')
  const poor = "'server_performance': <PerformanceLevel.POOR: 'poor'>}"
  expect(first.user('check_vpn_status')).toContain(poor)
  expect(first.user('run_speed_test')).toMatch(/^Speed Test Result: 22\.00 Mbps \(Fair\)\. /)
  expect(first.agent('get_details_by_id', '{"id": "B00000001"}')).toContain('"total_due": 2.5')

  const second = begun()
  second.user('connect_vpn')
  expect(second.user('check_vpn_status')).toBe(
    "VPN is ON and connected. Details: {'server_address': '192.168.1.1', 'protocol': 'OpenVPN', 'server_performance': <PerformanceLevel.EXCELLENT: 'excellent'>}",
  )
  expect(second.agent('get_details_by_id', '{"id": "B00000001"}')).toBe('Error: Bill with ID B00000001 not found')
  second.agent('refuel_data', refuel('1'))
  expect(second.world.dump('assistant')).toBe(first.world.dump('assistant'))
})

test('[TAU5] descriptions come from the docstrings of the pinned files; a tool without one is refused', () => {
  expect(domain.tools.assistant.find(({ name }) => name === 'get_bills_for_customer')).toEqual({
    name: 'get_bills_for_customer',
    description: 'Does get_bills_for_customer.',
    parameters: {
      properties: {
        customer_id: { description: 'What customer_id is.', title: 'Customer Id', type: 'string' },
        limit: { default: 12, description: 'What limit is.', title: 'Limit', type: 'integer' },
      },
      required: ['customer_id'],
      title: 'parameters',
      type: 'object',
    },
  })
  const renamed = inventedTelecom.tools_py.replace('def refuel_data', 'def refuel')
  expect(() => readTelecom({ ...inventedTelecom, tools_py: renamed })).toThrow('no docstring of the method refuel_data')
  const escaped = inventedTelecom.user_tools_py.replace('Does toggle_data.', 'Does \\x41.')
  expect(() => readTelecom({ ...inventedTelecom, user_tools_py: escaped })).toThrow('escape')
  expect(() => readTelecom({ ...inventedTelecom, user_data_model_py: pythonModel('', {}).replace('APN', '') })).toThrow('APNSettings')
})
