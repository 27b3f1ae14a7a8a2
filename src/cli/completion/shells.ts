/** Supported shells. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/** Whether the word is a supported shell. */
export const isShell = (word: string): word is Shell => (shells as readonly string[]).includes(word)
