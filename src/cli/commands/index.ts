import type { Command } from '../command.js'
import { configCommand } from './config.js'
import { demoCommand } from './demo.js'
import { routeCommand } from './route.js'
import { snapshotCommand } from './snapshot.js'
import { tokensCommand } from './tokens.js'
import { versionCommand } from './version.js'

/** Every command, in the order of the overview. */
export const commands: readonly Command[] = [
  tokensCommand,
  routeCommand,
  snapshotCommand,
  demoCommand,
  configCommand,
  versionCommand,
]
