import * as z from 'zod'
import { readTelecom } from '../../tau2/telecom.ts'
import type { Domain } from '../../tau2/world.ts'
import { textOf } from '../parse-rows.ts'
import { ownToolFiles } from './own-tools.ts'

/** The data bases as `hidden` gives them. */
const Databases = z.object({ 'db.toml': z.string(), 'user_db.toml': z.string() })

/** The telecom domain on the data bases of the rows; its tools are described as the profile has it. */
export function domainOf(profile: string, texts: Record<string, string>): (hidden: unknown) => Domain {
  return (hidden) => {
    const { 'db.toml': db_toml, 'user_db.toml': user_db_toml } = Databases.parse(hidden)
    return readTelecom({ db_toml, user_db_toml, ...(profile === 'builtin' ? ownToolFiles : officialToolFiles(texts)) })
  }
}

const officialToolFiles = (texts: Record<string, string>) => ({
  tools_py: textOf(texts, 'tools_py'),
  user_tools_py: textOf(texts, 'user_tools_py'),
  user_data_model_py: textOf(texts, 'user_data_model_py'),
})
