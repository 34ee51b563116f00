import { sha256Hex } from './secret.ts'

/** The owner that a Chutes key stands for. The id is a hash under its own label, so that it says nothing about the key. */
export const chutesOwnerId = (key: string): Promise<string> => idOf(`bench-owner|v1|${key}`)

/** The owner that an account at Chutes stands for, which signs in with tokens that give way to one another. */
export const chutesAccountId = (account: string): Promise<string> => idOf(`bench-owner|account|v1|${account}`)

const idOf = async (labelled: string): Promise<string> => `chutes-${(await sha256Hex(labelled)).slice(0, 40)}`

/** Whether an owner id stands for a Chutes account. */
export const isAccountId = (owner_id: string): boolean => owner_id.startsWith('chutes-')
