import type { Command, CommandGroups } from '../command.js'
import { executionGroups } from '../flags/execution-flags.js'
import { arbrouteCommand, arbsCommand } from './arbs/command.js'
import { balancesCommand } from './balances/command.js'
import { bookCommand } from './book/command.js'
import { completionCommand } from './completion/command.js'
import { configCommand } from './config/command.js'
import { curveCommand, maxCommand } from './curve/command.js'
import { demoCommand } from './demo/command.js'
import { doctorCommand } from './doctor/command.js'
import { executeCommand } from './execute/command.js'
import { historyCommand } from './history/command.js'
import { journalCommand } from './journal/command.js'
import { keysCommand } from './keys/command.js'
import { mcpCommand } from './mcp/command.js'
import { orderCommand } from './order/command.js'
import { pairsCommand } from './pairs/command.js'
import { planCommand } from './plan/command.js'
import { priceCommand } from './price/command.js'
import { routeCommand } from './route/command.js'
import { schemaCommand } from './schema/command.js'
import { serveCommand } from './serve/command.js'
import { simulateCommand } from './simulate/command.js'
import { snapshotCommand } from './snapshot/command.js'
import { srouteCommand } from './sroute/command.js'
import { tapeCommand } from './tape/command.js'
import { tokensCommand } from './tokens/command.js'
import { txCommand } from './tx/command.js'
import { versionCommand } from './version/command.js'

/** The visible commands, in the groups and the order of `swap help` and the README. */
export const commandGroups: CommandGroups = [
  [
    'LOOK',
    [
      tokensCommand,
      priceCommand,
      pairsCommand,
      routeCommand,
      srouteCommand,
      simulateCommand,
      arbsCommand,
      arbrouteCommand,
      curveCommand,
      maxCommand,
      bookCommand,
      historyCommand,
    ],
  ],
  ['ACT', [executeCommand, planCommand, orderCommand, txCommand, journalCommand, balancesCommand]],
  [
    'SET UP',
    [
      keysCommand,
      configCommand,
      completionCommand,
      doctorCommand,
      demoCommand,
      snapshotCommand,
      tapeCommand,
      schemaCommand,
      versionCommand,
    ],
  ],
  ['RUN', [serveCommand, mcpCommand]],
]

export const commands: readonly Command[] = commandGroups.flatMap(([, group]) => group)

/** The commands that do the same on every network. */
const anywhere = [configCommand, completionCommand, demoCommand, schemaCommand, versionCommand]

/** Names of the commands that depend on the network. */
export const networkCommands: readonly string[] = commands
  .filter((command) => !anywhere.includes(command))
  .map(({ name }) => name)

const resumeCommand: Command = {
  name: 'resume',
  summary: 'The same as swap tx resume',
  usage: { 'swap resume [id|hash]': 'the same as swap tx resume' },
  arguments: [{ form: '[id]', meaning: 'the id' }],
  flags: { WAITING: executionGroups.waiting },
  isHidden: true,
  load: async () => (await import('./tx/resume.js')).runResume,
}

const showCommand: Command = {
  name: 'show',
  summary: 'The same as swap tx show',
  usage: { 'swap journal show <id|hash>': 'the same as swap tx show' },
  arguments: [{ form: '<id>', meaning: 'the id' }],
  isHidden: true,
  load: async () => (await import('./tx/show.js')).runShow,
}

/** Every command, including hidden names of earlier releases. */
export const everyCommand: readonly Command[] = [
  ...commands.map((command) =>
    command === journalCommand ? { ...command, commands: [showCommand] } : command,
  ),
  resumeCommand,
]
