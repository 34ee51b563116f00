/** What the profile `builtin` tells the agent of its tools, in our own words. */
const company: Record<string, string> = {
  get_customer_by_phone: 'Finds a customer by a phone number, of the contract or of a line.',
  get_customer_by_id: 'Finds a customer by id.',
  get_customer_by_name: 'Finds customers by full name and date of birth (YYYY-MM-DD).',
  get_details_by_id: 'Everything about a customer, a line, a device, a bill or a plan. The first letter of the id says which.',
  suspend_line: 'Suspends an active line, for six months at most.',
  resume_line: 'Resumes a suspended line.',
  get_bills_for_customer: 'The latest bills of a customer.',
  send_payment_request: 'Asks a customer to pay a bill. Only one request may be open at a time.',
  get_data_usage: 'Mobile data that a line has used and may use in this period.',
  enable_roaming: 'Allows a line to roam abroad.',
  disable_roaming: 'Forbids a line to roam abroad.',
  transfer_to_human_agents: 'Hands the customer over to a person, with a summary of what was found.',
  refuel_data: 'Adds gigabytes of mobile data to a line, which are billed.',
}

/** The same for the user. */
const phone: Record<string, string> = {
  check_status_bar: 'Shows the status bar of your phone.',
  check_network_status: 'Shows the state of SIM card, signal, mobile data and roaming.',
  check_network_mode_preference: 'Shows which network modes the phone prefers.',
  set_network_mode_preference: 'Sets which network modes the phone prefers.',
  run_speed_test: 'Measures how fast mobile data are.',
  toggle_airplane_mode: 'Switches airplane mode on or off.',
  check_sim_status: 'Shows whether the SIM card works.',
  reseat_sim_card: 'Takes the SIM card out and puts it in again.',
  toggle_data: 'Switches mobile data on or off.',
  toggle_roaming: 'Switches data roaming on or off.',
  check_data_restriction_status: 'Shows whether anything saves mobile data.',
  toggle_data_saver_mode: 'Switches the data saver on or off.',
  check_apn_settings: 'Shows the settings of the access point.',
  set_apn_settings: 'Sets the settings of the access point.',
  reset_apn_settings: 'Sets the access point back; a restart makes it count.',
  check_wifi_status: 'Shows whether Wi-Fi is on and connected.',
  toggle_wifi: 'Switches Wi-Fi on or off.',
  check_wifi_calling_status: 'Shows whether calls go over Wi-Fi.',
  toggle_wifi_calling: 'Switches calls over Wi-Fi on or off.',
  check_vpn_status: 'Shows whether a VPN is connected.',
  connect_vpn: 'Connects the VPN.',
  disconnect_vpn: 'Disconnects the VPN.',
  check_installed_apps: 'Lists the apps on the phone.',
  check_app_status: 'Shows an app in detail.',
  check_app_permissions: 'Shows what an app may do.',
  grant_app_permission: 'Allows an app something.',
  can_send_mms: 'Tries whether a picture message can be sent.',
  reboot_device: 'Restarts the phone.',
  check_payment_request: 'Shows whether somebody asks you for a payment.',
  make_payment: 'Pays what you are asked for.',
}

/** As docstrings, which is how the domain reads what tools are for. */
const docsOf = (words: Record<string, string>): string =>
  Object.entries(words)
    .map(([name, text]) => `    def ${name}(self):\n        """${text}"""\n`)
    .join('')

/** In place of the Python files whose docstrings describe the tools. */
export const ownToolFiles = {
  tools_py: docsOf(company),
  user_tools_py: docsOf(phone),
  user_data_model_py: 'class APNSettings(Model):\n    """Settings of an access point."""\n\n#\n',
}
