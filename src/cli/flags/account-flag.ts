/** Whose orders or executions a command shows. */
export const accountFlag = {
  flags: '--from <account>',
  meaning: 'the account: an address, a key or a name (default: the default key)',
  value: 'account',
} as const
