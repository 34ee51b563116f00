import type { Company } from './company.ts'
import type { Phone, VpnDetails } from './phone.ts'

/** One dialogue's state. `vpn`: what the phone connects to, which breaking the connection spoils for later ones too. `billsMade`: counts ids. */
export type Telecom = { company: Company; phone: Phone; vpn: VpnDetails; billsMade: number }

/** The day on which every dialogue takes place, and what follows from it. */
export const today = '2025-02-25'
export const cycleEnd = '2025-02-28'
export const nextCycle = { start: '2025-03-01', end: '2025-03-31', due: '2025-03-15' }
export const lastCycle = { start: '2025-01-01', end: '2025-01-31', due: '2025-01-15' }
