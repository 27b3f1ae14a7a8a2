/** The checks that ask a node or the demo chain, in the order in which they are made. */
export const askingChecks = ['node', 'network', 'clock', 'contract', 'market', 'demo'] as const
export type AskingCheck = (typeof askingChecks)[number]

/** What one look found. */
export type Check = {
  readonly name: string
  readonly status: 'ok' | 'note' | 'fail' | 'skip'
  /** One sentence. */
  readonly message: string
  readonly why: string | null
  /** The next step. */
  readonly do: string | null
  /** The facts behind the sentence, for scripts. */
  readonly data: { readonly [name: string]: string | number | boolean | null }
}

export const check = (
  name: string,
  status: Check['status'],
  message: string,
  more: Partial<Pick<Check, 'why' | 'do' | 'data'>> = {},
): Check => ({ name, status, message, why: null, do: null, data: {}, ...more })
