import type { Command } from '../command.js'
import { arbrouteCommand } from './arbroute.js'
import { arbsCommand } from './arbs.js'
import { balancesCommand } from './balances.js'
import { bookCommand } from './book.js'
import { configCommand } from './config.js'
import { curveCommand } from './curve.js'
import { demoCommand } from './demo.js'
import { doctorCommand } from './doctor.js'
import { historyCommand } from './history.js'
import { maxCommand } from './max.js'
import { routeCommand } from './route.js'
import { serveCommand } from './serve.js'
import { completionCommand } from './setup/completion.js'
import { schemaCommand } from './setup/schema.js'
import { simulateCommand } from './simulate.js'
import { snapshotCommand } from './snapshot.js'
import { srouteCommand } from './sroute.js'
import { tokensCommand } from './tokens.js'
import { versionCommand } from './version.js'
import { executeCommand } from './wallet/execute.js'
import { journalCommand } from './wallet/journal.js'
import { keysCommand } from './wallet/keys.js'
import { resumeCommand } from './wallet/resume.js'
import { txCommand } from './wallet/tx.js'

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
  executeCommand,
  resumeCommand,
  txCommand,
  journalCommand,
  bookCommand,
  balancesCommand,
  snapshotCommand,
  historyCommand,
  serveCommand,
  demoCommand,
  keysCommand,
  configCommand,
  completionCommand,
  doctorCommand,
  schemaCommand,
  versionCommand,
]
