/** Shells that the program completes in. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** Whether a word is one of the shells. */
export const isShell = (word: string): word is Shell => (shells as readonly string[]).includes(word)
