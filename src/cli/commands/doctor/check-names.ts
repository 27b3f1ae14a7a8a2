import { chainChecks } from '../../../operations/doctor/doctor-port.js'

/** Checks of this process. */
export const localChecks = ['program', 'config', 'terminal'] as const
export type LocalCheck = (typeof localChecks)[number]

/** Checks of the files and services on this machine. */
export const machineChecks = [
  'files',
  'keys',
  'locks',
  'journal',
  'database',
  'server',
  'mcp',
  'completion',
] as const
export type MachineCheck = (typeof machineChecks)[number]

/** All checks in their order. */
export const checkNames: readonly string[] = [...localChecks, ...machineChecks, ...chainChecks]

/** Checks that query a node or a server, which `--offline` leaves out. */
export const queryingChecks: readonly string[] = ['server', 'database', ...chainChecks]
