import { envOf, flagOf, keyOf } from '../../config/naming.js'
import { isYoursAlone, type SettingName, settingNames, settings } from '../../config/schema.js'
import type { Flag } from '../command.js'
import { tourSteps } from '../commands/demo/tour/steps.js'
import { commonFlags } from '../common-flags.js'
import { splitFlags, watchFlags } from '../flags/quote-flags.js'
import { requestFlag } from '../flags/request-flags.js'

/** A help page that does not belong to a command. */
export type Topic = {
  readonly name: string
  readonly summary: string
  /** Paragraphs, and tables of two columns. */
  readonly parts: readonly (string | readonly (readonly [string, string])[])[]
}

const flagRows = (flags: readonly Flag[]): readonly (readonly [string, string])[] =>
  flags.map(({ flags: form, meaning }) => [form, meaning])

/** Flags of settings that have another name than the setting, or none. */
const otherFlags: Partial<Record<SettingName, readonly string[]>> = {
  historyFromHeight: ['--from-height'],
  autoSlippageBlocks: [],
  autoSlippageQuantile: [],
}

const environmentTopic: Topic = {
  name: 'environment',
  summary: 'Settings: flag, variable, key of .swaprc and default of each',
  parts: [
    "Precedence: flags, SWAP_ variables, ./.swaprc, ~/.swaprc, built-in defaults. swap config list shows each effective value and its origin. Settings marked with a star are ignored in a project's ./.swaprc, with a note; timeout, max_age, slippage and confirm_above can only be lowered there.",
    settingNames.map((name) => {
      const { fallback, meaning } = settings[name]
      const isYours = isYoursAlone(name) ? ' *' : ''
      const held = fallback === null ? '' : ` (default ${fallback})`
      const names = [...(otherFlags[name] ?? [flagOf(name)]), keyOf(name)].join(', ')
      return [`${envOf(name)}${isYours}`, `${names}: ${meaning}${held}`] as const
    }),
    [
      ['SWAP_CONFIG', '--config: one file instead of ./.swaprc and ~/.swaprc'],
      [
        'SWAP_HOME',
        'one folder for keys, state and caches (default: swap/ in the XDG folders ~/.local/share, ~/.local/state and ~/.cache)',
      ],
      ['SWAP_PASSWORD_FILE', 'in place of --password-file'],
      ['CREDENTIALS_DIRECTORY', 'set by systemd: the password is read from its file swap-password'],
      ['SWAP_PASSWORD', 'the password itself; a file is safer'],
      ['SWAP_NO_INPUT', '--no-input'],
      ['SWAP_TRACE', 'print the stack trace of a bug'],
      ['VISUAL, EDITOR', 'the editor of swap config edit'],
      ['PAGER', 'shows long output on a terminal (default less); cat or an empty value: no pager'],
      ['NO_COLOR, FORCE_COLOR', 'see no-color.org and force-color.org'],
      [
        'FORCE_HYPERLINK',
        '1 or 0: whether reports link a transaction to its page (default: if the terminal can)',
      ],
      ['COLUMNS', 'width of the output where there is no terminal (default 80)'],
    ],
    'Booleans are 1, true, yes, 0, false or no. No variable replaces --yes.',
  ],
}

/** The meaning of each exit status: what to do next. */
export const exitStatuses: readonly (readonly [status: number, meaning: string])[] = [
  [0, 'success'],
  [1, 'doctor found something that does not work, or the command of --exec failed'],
  [2, 'fix the call: an amount, a token, a flag or a document cannot be used'],
  [3, 'no route, or not for this amount, or an order that would be refused: change the trade'],
  [4, 'no answer from the chain: try again later'],
  [5, 'a price guard refused, or the price has moved: quote again'],
  [6, 'the account does not hold enough'],
  [7, 'the key file, its password or the signer'],
  [8, 'not confirmed'],
  [9, 'sent, and the outcome is not known yet: wait, never send it again'],
  [10, 'the chain refused the transaction, or it failed'],
  [11, 'the market is halted: wait'],
  [12, 'some of several transactions were done'],
  [13, 'another process holds the key, the chain, the database or the port'],
  [14, 'above a configured spending limit'],
  [70, 'a bug in this program'],
  [129, 'the terminal was closed (SIGHUP)'],
  [130, 'ctrl-c, or a signal to a command that signs, before anything was sent'],
  [141, 'the reader of the output closed the pipe'],
  [143, 'SIGTERM ended a command that runs until it is stopped'],
]

const exitTopic: Topic = {
  name: 'exit',
  summary: 'Exit statuses: what to do next',
  parts: [
    'An exit status tells a script what to do next; the code of the error is the cause.',
    exitStatuses.map(([status, meaning]) => [`${status}`.padStart(3), meaning] as const),
    'With --json the document of the error is on standard output, and its code is the same word in a pipe, in a log and in the service.',
  ],
}

/** How to start with the demo, and how to leave it. */
const firstStepsTopic: Topic = {
  name: 'first-steps',
  summary: 'Five minutes with no network and no key, and three commands to the real thing',
  parts: [
    'Nothing has to be set up: a market is inside the program, with made-up prices that move, and a chain that executes. swap demo tour goes through this step by step.',
    tourSteps.map(({ command, shows }) => [command, shows] as const),
    'To the real thing:',
    [
      ['swap config set network mainnet', 'quotes of the real market, read-only, no key'],
      ['swap doctor', 'checks nodes, clock and contracts, with remedies'],
      ['swap keys new main', 'a key of your own, encrypted'],
    ],
    'For one command only: swap -n mainnet route 1 btc usdc. Back to the demo: swap config set network demo.',
  ],
}

const amountsTopic: Topic = {
  name: 'amounts',
  summary: 'How amounts and tokens are written',
  parts: [
    'Amounts are exact. What could be read in two ways is refused, and nothing is rounded.',
    [
      ['1.5 btc   1.5btc   1.5 BTC', 'one and a half bitcoin'],
      ['1.5 btc to rune', 'a to, for or -> between the tokens is left out'],
      ['25_000 usdc', '25,000; the underscore is the only separator'],
      ['usdc 40000 rune', 'the amount to receive: 40,000 RUNE'],
      [
        "'$500' usdc",
        'worth 500 dollars at the mid price; without quotes a shell reads $5 as a variable',
      ],
      ['--atomic 150000000 btc', 'base units'],
    ],
    'Refused: 0, -1, 1,5 (1.5 or 15?), 1e6, 1k, 0x10, and more digits than the token has.',
    'A token is named by its denom (btc-btc), by an alias, by its symbol where one listed token has it, or by its name (bitcoin, "usd coin"); usdc.base names the chain as well. Two tokens of one name are an error with the candidates, and a typing error gets a suggestion, never a substitution.',
  ],
}

const splittingTopic: Topic = {
  name: 'splitting',
  summary: 'Why dividing an amount pays, and how it is done',
  parts: [
    'A book gets worse the deeper one trades into it. Dividing an amount over several paths takes the best of each: swap sroute finds how much goes where, and shows the gain over the best single path.',
    flagRows([...splitFlags, requestFlag('sroute', 'explain')]),
    'Legs run one after the other, and each is quoted on the books as the ones before it leave them. Each is a call of its own with its own least return; the shares add up to the amount to the atomic. --explain also shows the best with 1, 2, 3 ... legs and other steps. "optimum" in the answer is a proved bound on what any other split could add.',
  ],
}

const watchingTopic: Topic = {
  name: 'watching',
  summary: 'Following quotes, books, loops, executed swaps or your orders block by block',
  parts: [
    'route, sroute, arbs, book, history and order list take --watch. On a terminal they draw in place, at most fourteen lines; where TERM is dumb or CI is set they write a line a block; anywhere else an event a line (NDJSON) and no escape codes.',
    flagRows(Object.values(watchFlags("'output>=39500'")).flat()),
    'Conditions of a quote: output, input, price, impact, and gain for sroute; of a book: mid, spread; of loops: percent, usd, loops; of the history: swaps; of orders: orders, claimable. --count with --until exits with 5 if the condition never held.',
    [
      ['quote, book', 'the answer of the single call under the same name, and delta_bps'],
      ['opened, changed, closed', 'a loop, with its id'],
      ['swap', 'an executed swap, as an item of swap history'],
      [
        'orders',
        'the answer of swap order list; before it a fill for each order that was filled, without what was also claimed since the last answer: swap history --orders lists that claim',
      ],
      ['problem', 'an error at one block; watching continues'],
      ['exec', 'how the command of --exec ended: exit, or signal'],
      ['heartbeat', 'after thirty seconds without anything else'],
      ['end', 'why it ended, and the exit status'],
    ],
    "The command of --exec is started without a shell; it reads the events of the result on standard input, as --json prints them, and what it writes goes to standard error. Runs do not overlap: blocks in the meantime are skipped. The exit status is 1 if the last run failed. A shell can do without --exec: swap route 1 btc rune --watch --until 'output>=39500' && my-alert.",
    'The time of --watch may have a unit: --watch=500ms, --watch=2m. -q prints one value a line. Keys on a terminal: enter accepts the quote, c compares, q quits.',
  ],
}

const scriptsTopic: Topic = {
  name: 'scripts',
  summary: 'Output for programs: documents, events, tables, one value',
  parts: [
    'Standard output holds the answer and nothing else; notes, warnings and errors are on standard error.',
    [
      [
        '--json',
        'the document of the service, also of an error: unchanged in a pipe, indented on a terminal',
      ],
      ['--ndjson', 'the same; with --watch, and where something is signed, an event a line'],
      [
        '--csv',
        'rows with a heading, amounts in atomics and in units; key and value of a document without rows',
      ],
      ['-q', 'the one value that a script wants'],
      ['in a pipe', 'key and value, or rows, with tabs; no colour; not a stable interface'],
    ],
    'swap schema route prints the JSON Schema of its documents. swap help exit lists the exit statuses. swap demo fail makes the demo chain fail in many ways, for tests of a script.',
    'Colour: --color, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb, then whether the stream is a terminal, for each stream separately. --ascii, or a locale that is not UTF-8, draws without blocks and arrows.',
  ],
}

const flagsTopic: Topic = {
  name: 'flags',
  summary: 'Flags that every command takes',
  parts: [
    'Before or after the name of the command:',
    flagRows(commonFlags),
    'A flag of one value that is given again has the last one.',
  ],
}

/** Every topic, in reading order. */
export const topics: readonly Topic[] = [
  firstStepsTopic,
  amountsTopic,
  splittingTopic,
  watchingTopic,
  scriptsTopic,
  flagsTopic,
  environmentTopic,
  exitTopic,
]

export const topicNames: readonly string[] = topics.map(({ name }) => name)
