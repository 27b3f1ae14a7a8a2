/** Checks of what lies on this machine; a list of its own, since completion names them too. */
export const machineChecks = [
  'files',
  'keys',
  'locks',
  'journal',
  'database',
  'server',
  'completion',
] as const
export type MachineCheck = (typeof machineChecks)[number]
