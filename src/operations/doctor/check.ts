import type { Check } from './doctor-answer.js'
/** The checks that ask a node or the demo chain, in the order in which they are made. */
export const askingChecks = ['node', 'network', 'clock', 'contract', 'market', 'demo'] as const
export type AskingCheck = (typeof askingChecks)[number]

export const check = (
  name: string,
  status: Check['status'],
  message: string,
  more: Partial<Pick<Check, 'why' | 'do' | 'data'>> = {},
): Check => ({ name, status, message, why: null, do: null, data: {}, ...more })
