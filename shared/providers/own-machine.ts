import type { Price } from '../contract/usage.ts'

/** A machine of one's own charges nothing. */
export const freeOfCharge: Price = { input_per_million_usd: 0, output_per_million_usd: 0, cached_input_per_million_usd: null }

/** The address of the server itself: its own API stands beside OpenAI's, which is under `/v1`. */
export const serverRoot = (base_url: string): string => base_url.replace(/\/+$/, '').replace(/\/v1$/, '')
