import type { Coin, Denom } from '../../engine/market/token.js'
import type { FlagValues } from '../command.js'

/** Flags that say what is to be done, in distinction to how it is signed and sent. */
const DEFINING = [
  ...['to', 'price', 'oracle', 'ioc', 'fok', 'all'],
  ...['fromPrice', 'toPrice', 'steps', 'weight'],
]

/** What a command asks for, in its own words. Shares of a balance stay shares: `50% rune usdc`. */
export const requestText = (command: string, args: readonly string[], flags: FlagValues): string =>
  [command, ...args.map((arg) => arg.toLowerCase())].join(' ') +
  DEFINING.filter((name) => flags[name] !== undefined)
    .map((name) => ` ${name}=${flags[name]}`)
    .join('')

/** The same of a document: what it sells and buys, whatever the height it was quoted at. */
export function documentText(
  legs: readonly { readonly funds: Coin; readonly output: Denom }[],
  flags: FlagValues,
): string {
  const sums = new Map<string, bigint>()
  for (const { funds, output } of legs) {
    const pair = `${funds.denom} ${output}`
    sums.set(pair, (sums.get(pair) ?? 0n) + funds.amount)
  }
  const coins = [...sums].sort().map(([pair, amount]) => `${amount} ${pair}`)
  return requestText('execute', coins, flags)
}
