import { type Command, flag } from '../../command.js'
import { formatFlag, fromHeightFlag } from '../../flags/command-flags.js'
import { watchFlags } from '../../flags/quote-flags.js'
import { requestFlag } from '../../flags/request-flags.js'
import { isName } from '../../invalid-request.js'

const isDate = (text: string): boolean => /^[\d-]{10}$/.test(text)

export const historyCommand: Command = {
  name: 'history',
  summary: 'Show the swaps that were executed on chain',
  usage: {
    'swap history': 'the latest ones, from the index that serve and --sync fill',
    'swap history --period 7d': 'the wallets that swapped most',
    'swap history --orders': 'orders that were placed, filled and cancelled',
    'swap history --quarantine': 'events that could not be read as swaps, and why',
  },
  examples: {
    'swap history --sync': 'index what is new, then show it',
    'swap history --sender main --from 2026-01-01 --format koinly >2026.csv':
      "a wallet's swaps, for a tax program",
    'swap history --from 2026-05-01 --to 2026-05-31 --csv': 'all of a month',
    'swap history --orders --owner main': 'the changes of the orders of a key',
    'swap history --tx-hash D756B6BB... --json': 'every leg of one transaction',
    'swap history --type arbitrage --page 2': 'the second page of swaps from a token to itself',
  },
  flags: {
    'FILTER, ONE OF THESE': [
      requestFlag('history', 'type'),
      requestFlag('history', 'sender', {
        meaning: 'swaps that this wallet signed: an address, a key or a name',
      }),
      requestFlag('history', 'txHash'),
      requestFlag('history', 'affiliate'),
      requestFlag('history', 'period'),
      flag('--quarantine', 'events that could not be read, and why'),
    ],
    ORDERS: [
      flag('--orders', 'what order messages placed, changed and claimed'),
      requestFlag('history-orders', 'owner', {
        meaning: 'with --orders: of this account, an address, a key or a name',
      }),
      requestFlag('history-orders', 'pair', {
        meaning: 'with --orders: on this pair, two tokens or an address',
      }),
    ],
    PAGES: [requestFlag('history', 'page'), requestFlag('history', 'limit')],
    'DATES AND FILES': [
      flag('--from <date>', 'from this date or time on (UTC); the list has no pages'),
      flag('--to <date>', 'up to this time, or the end of this date'),
      formatFlag,
    ],
    ...watchFlags("'swaps>=10'", []),
    INDEX: [
      flag('--sync', 'index what is missing first; ctrl-c stops, nothing is lost'),
      fromHeightFlag,
      flag('--reindex', 'build the index again; prices are kept'),
      flag('--database <where>', 'postgres://... or a file (default: a file)'),
    ],
  },
  ownFlags: ['limit', 'from'],
  flagsElsewhere: {
    '--since': ['--from VALUE', '2026-01-31', isDate],
    '--wallet': ['--sender VALUE', 'main', isName],
    '--address': ['--sender VALUE', 'main', isName],
  },
  exit: '0 ok (also when nothing matches or blocks are missing), 1 --exec failed, 2 usage, 4 the chain does not answer, 5 --until not met, 7 a key file, 13 another process fills the index, 130 ctrl-c',
  load: async () => (await import('./run.js')).runHistory,
}
