import type { Command } from '../command.js'
import { arbrouteCommand } from './arbroute.js'
import { arbsCommand } from './arbs.js'
import { balancesCommand } from './balances.js'
import { bookCommand } from './book.js'
import { configCommand } from './config.js'
import { curveCommand } from './curve.js'
import { demoCommand } from './demo.js'
import { doctorCommand } from './doctor.js'
import { maxCommand } from './max.js'
import { routeCommand } from './route.js'
import { serveCommand } from './serve.js'
import { simulateCommand } from './simulate.js'
import { snapshotCommand } from './snapshot.js'
import { srouteCommand } from './sroute.js'
import { tokensCommand } from './tokens.js'
import { versionCommand } from './version.js'

/** Every command, in the order of the overview. */
export const commands: readonly Command[] = [
  tokensCommand,
  routeCommand,
  srouteCommand,
  arbsCommand,
  arbrouteCommand,
  curveCommand,
  maxCommand,
  simulateCommand,
  bookCommand,
  balancesCommand,
  snapshotCommand,
  serveCommand,
  demoCommand,
  configCommand,
  doctorCommand,
  versionCommand,
]
