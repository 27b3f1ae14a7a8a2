import type { DemoGiven } from '../../../operations/demo-port.js'
import { formatUnits } from '../../../render/amount.js'
import type { Style } from '../../../render/style.js'
import { printable } from '../../../render/width.js'
import { entryLines } from '../../quotes/route/route-fields.js'

type Named = { readonly symbol: string; readonly decimals: number }

/** A payment of play money; amounts are in whole units. */
export function renderGiven(
  { tx_hash, height, address, coins }: DemoGiven,
  tokens: ReadonlyMap<string, Named>,
  style: Style,
): string {
  const amounts = coins.map(({ denom, amount }) => {
    const token = tokens.get(denom)
    return token === undefined
      ? `${amount} ${printable(denom)}`
      : `${formatUnits(BigInt(amount), token.decimals)} ${printable(token.symbol)}`
  })
  if (style.tty)
    return [
      `${style.green('paid')} ${amounts.join(', ')} to ${printable(address)}`,
      `  in block ${height ?? '(none yet)'}, transaction ${tx_hash}`,
    ].join('\n')
  return entryLines([
    ['tx_hash', tx_hash],
    ['height', height],
    ['address', printable(address)],
    ...amounts.map((amount, at) => [`coin.${at + 1}`, amount] as const),
  ])
}
