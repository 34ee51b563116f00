import { agentTools, type ToolFunction } from '../agent-tools.ts'
import type { TelecomFiles } from '../telecom.ts'
import { userTools } from '../user-tools.ts'

/** A small company of our own invention, in the form of tau2-bench's `db.toml`. Its customer has a line, a plan, a paid and an issued bill. */
const company = `
[[plans]]
plan_id = "P1"
name = "Reed"
data_limit_gb = 5
price_per_month = 30.5
data_refueling_price_per_gb = 2.5

[[customers]]
customer_id = "C1"
full_name = "Ada Öst"
date_of_birth = "1990-02-03"
email = "ada@example.org"
phone_number = "555-0001"
created_at = "2024-05-06T07:08:09"
line_ids = ["L1"]
bill_ids = ["B1", "B2"]
[customers.address]
street = "1 Mill Lane"
city = "Reedham"
state = "ZZ"
zip_code = "00001"

[[lines]]
line_id = "L1"
phone_number = "555-0002"
status = "Active"
plan_id = "P1"
data_used_gb = 4.5

[[bills]]
bill_id = "B1"
customer_id = "C1"
period_start = "2024-12-01"
period_end = "2024-12-31"
issue_date = "2024-12-05"
total_due = 30.5
due_date = "2024-12-20"
status = "Paid"

[[bills]]
bill_id = "B2"
customer_id = "C1"
period_start = "2025-01-01"
period_end = "2025-01-31"
issue_date = "2025-01-05"
total_due = 12
due_date = "2025-01-20"
status = "Issued"

[[devices]]
device_id = "D1"
device_type = "phone"
model = "Whistle 2"
is_esim_capable = true
activation_date = "2024-05-07T10:00:00"
`

/** A tool as a method with a docstring in Google's style. `told`: its description, and what its parameters are described as. */
export type ToldTool = { name: string; description: string; parameters: Readonly<Record<string, string>> }

/** A Python file of tools; descriptions are written as they are told, the first line before an empty one. */
export function pythonTools(tools: readonly ToldTool[]): string {
  const methods = tools.map(({ name, description, parameters }) => {
    const [first, ...rest] = description.split('\n\n')
    const body = [first, ...(rest.length > 0 ? rest.join('\n\n').split('\n') : [])]
    const told = Object.entries(parameters).map(([parameter, text]) => `    ${parameter}: ${text}`)
    const args = told.length > 0 ? ['', 'Args:', ...told, '', 'Returns:', '    Something: or nothing.'] : []
    const lines = [...body, ...args].map((line) => (line ? `        ${line}` : ''))
    return `    @is_tool(ToolType.READ)\n    def ${name}(self, a: Dict[str, Any] = f(1)) -> List[str]:\n        """\n${lines.join('\n')}\n        """\n        return 0\n`
  })
  return `class Tools(ToolKitBase):\n    """Tools."""\n\n${methods.join('\n')}`
}

const inventedTools = (tools: Readonly<Record<string, ToolFunction>>): string =>
  pythonTools(
    Object.entries(tools).map(([name, { parameters }]) => ({
      name,
      description: `Does ${name}.`,
      parameters: Object.fromEntries(parameters.map((parameter) => [parameter.name, `What ${parameter.name} is.`])),
    })),
  )

/** The model of access points as a Python file, with descriptions by field. */
export function pythonModel(description: string, fields: Readonly<Record<string, string>>): string {
  const lines = Object.entries(fields).map(
    ([name, text]) => `    ${name}: Optional[str] = Field(\n        None,\n        description="${text}",\n    )`,
  )
  return `class APNSettings(BaseModelNoExtra):\n    """${description}"""\n\n${lines.join('\n')}\n\n\nclass Other(Base):\n    pass\n`
}

const apnFields = ['apn_name', 'reset_at_reboot', 'mms_apn', 'mmsc_url', 'mms_proxy', 'mms_port']

/** All files of a telecom domain, invented. */
export const inventedTelecom: TelecomFiles = {
  db_toml: company,
  user_db_toml: '[device]\nbattery_level = 55\n',
  tools_py: inventedTools(agentTools),
  user_tools_py: inventedTools(userTools),
  user_data_model_py: pythonModel('Where data goes.', Object.fromEntries(apnFields.map((name) => [name, `About ${name}.`]))),
}
