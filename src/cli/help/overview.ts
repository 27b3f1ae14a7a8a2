import { networkName, row } from '../../render/layout.js'
import type { Style } from '../../render/style.js'
import { displayWidth, wrap } from '../../render/width.js'

type Rows = readonly (readonly [call: string, meaning: string])[]

const quotes: Rows = [
  ['swap tokens', 'what can be traded'],
  ['swap price btc', 'mid, bid, ask and depth'],
  ['swap route 1.5 btc rune', 'the best single path'],
  ['swap sroute 1.5 btc rune', 'the amount divided over several paths'],
  ['swap sroute 1.5 btc rune --json', 'what a script reads'],
  ['swap sroute 1.5 btc rune --watch', 'the quote at every block'],
]

const onDemo: Rows = [
  ...quotes,
  ['swap execute 1 rune usdc --from demo', 'sign and send, inside the demo'],
]

const accounts = (isDemo: boolean): Rows => [
  ['swap keys new main', 'a key of your own, in an encrypted file'],
  isDemo
    ? ['swap balances demo', 'what an account holds']
    : ['swap balances main', 'what an account holds'],
  ['swap history', 'swaps that were executed on chain'],
  ['swap serve', 'the same answers over HTTP'],
]

/** What `swap` alone prints: what the program is, its network, calls to try, and where the rest is. */
export function renderOverview(of: {
  readonly style: Style
  readonly version: string
  readonly network: string
}): string {
  const { style, version, network } = of
  const isDemo = network === 'demo'
  const place = isDemo
    ? `Network: ${style.accent('demo')} (inside the program: no key, made-up prices that move)`
    : `Network: ${networkName(network, style)}`
  const tried = isDemo ? onDemo : quotes
  const kept = accounts(isDemo)
  const column = Math.max(...[...tried, ...kept].map(([call]) => displayWidth(call))) + 5
  const rows = (all: Rows) =>
    all.flatMap(([call, meaning]) => row(`  ${call}`, meaning, style.width, column))
  const lines = [
    `${style.bold(`swap ${version}`)}: the best way to swap tokens across on-chain order books`,
    place,
  ]
  const other = isDemo
    ? 'Step by step: swap demo tour.  The real market: swap config set network mainnet'
    : 'Back to the demo: swap config set network demo'
  return [
    ...lines.flatMap((line) => wrap(line, style.width)),
    '',
    'Try:',
    ...rows(tried),
    '',
    'Keys, balances, history, service:',
    ...rows(kept),
    '',
    ...wrap(other, style.width),
    ...wrap('All commands: swap help.  First steps: swap help first-steps', style.width),
  ].join('\n')
}
