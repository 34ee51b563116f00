import { expect, test } from 'vitest'
import { checkApnSettings } from './check-apn-settings.ts'
import { readArguments } from './python-values.ts'

const check = (json: string) => checkApnSettings(readArguments(json)!)
const refused = (json: string): string => {
  try {
    check(json)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}
const kinds = (json: string): string[] => [...refused(json).matchAll(/\[type=(\w+)/g)].map(([, kind]) => kind!)

test('[TAU4] a dictionary of settings is taken as pydantic takes it', () => {
  expect(check('{}')).toEqual({
    apn_name: 'internet',
    reset_at_reboot: false,
    mms_apn: 'mms',
    mmsc_url: 'http://mms.carrier.com/mms/wapenc',
    mms_proxy: null,
    mms_port: null,
  })
  for (const yes of ['true', '1', '1.0', '"YES"', '"t"']) expect(check(`{"reset_at_reboot": ${yes}}`).reset_at_reboot).toBe(true)
  for (const port of ['80', '80.0', '" 80 "', '"+8_0"', '"0080.00"', '"\\u00a080"'])
    expect(check(`{"mms_port": ${port}}`).mms_port).toBe(80n)
  expect(check('{"mms_port": true, "mmsc_url": null}')).toMatchObject({ mms_port: 1n, mmsc_url: null })
})

test('[TAU4] every refusal is told, fields first, then unknown names, long values cut', () => {
  expect(refused(`{"a.b": "${'é'.repeat(30)}", "mms_port": 1.5, "apn_name": "x"}`)).toBe(
    [
      '3 validation errors for APNSettings',
      'apn_name',
      "  Input should be 'internet' or 'broken' [type=enum, input_value='x', input_type=str]",
      '    For further information visit https://errors.pydantic.dev/2.12/v/enum',
      'mms_port',
      '  Input should be a valid integer, got a number with a fractional part [type=int_from_float, input_value=1.5, input_type=float]',
      '    For further information visit https://errors.pydantic.dev/2.12/v/int_from_float',
      '`a.b`',
      "  Extra inputs are not permitted [type=extra_forbidden, input_value='éééééééééééé...ééééééééééé', input_type=str]",
      '    For further information visit https://errors.pydantic.dev/2.12/v/extra_forbidden',
    ].join('\n'),
  )
  expect(refused('{"mms_apn": 5}')).toMatch(/^1 validation error for APNSettings\nmms_apn\n {2}Input should be a valid string/)
})

test('[TAU4] half of a surrogate pair is refused where a string is read, taken where it is only kept, and told alone in a name', () => {
  const unread =
    "Input should be a valid string, unable to parse raw data as a unicode string [type=string_unicode, input_value='x\\ud800', input_type=str]"
  const further = '    For further information visit https://errors.pydantic.dev/2.12/v/string_unicode'
  const half = '"x\\ud800"'
  expect(refused(`{"mms_port": ${half}, "apn_name": ${half}, "y": ${half}, "reset_at_reboot": ${half}}`)).toBe(
    [
      '4 validation errors for APNSettings',
      ...['apn_name', 'reset_at_reboot', 'mms_port'].flatMap((field) => [field, `  ${unread}`, further]),
      'y',
      "  Extra inputs are not permitted [type=extra_forbidden, input_value='x\\ud800', input_type=str]",
      '    For further information visit https://errors.pydantic.dev/2.12/v/extra_forbidden',
    ].join('\n'),
  )
  expect(refused(`{"y": 1, "mms_port": "bad", ${half}: 2, "\\udc00": 3}`)).toBe(
    ['1 validation error for APNSettings', `  ${unread}`, further].join('\n'),
  )
  expect(check(`{"mms_apn": ${half}, "mmsc_url": "\\ud83d\\ude00"}`)).toMatchObject({ mms_apn: 'x\ud800', mmsc_url: '😀' })
})

test('[TAU4] each kind of value is refused for its own reason', () => {
  for (const value of ['2', '"maybe"', '" true"']) expect(kinds(`{"reset_at_reboot": ${value}}`)).toEqual(['bool_parsing'])
  for (const value of ['null', '0.5', '[]', '1e30']) expect(kinds(`{"reset_at_reboot": ${value}}`)).toEqual(['bool_type'])
  for (const value of ['"8__0"', '"80."', '""', '"1e3"', '"\\u001f80"']) expect(kinds(`{"mms_port": ${value}}`)).toEqual(['int_parsing'])
  expect(kinds('{"mms_port": {}}')).toEqual(['int_type'])
  expect(kinds('{"mms_port": NaN}')).toEqual(['finite_number'])
  expect(kinds('{"mms_port": 1e30}')).toEqual(['int_parsing_size'])
  expect(kinds(`{"mms_port": "${'9'.repeat(4301)}"}`)).toEqual(['int_parsing_size'])
})
