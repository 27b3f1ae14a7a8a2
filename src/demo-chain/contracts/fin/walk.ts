import { type Decimal, formatDecimal, mulCeil, ONE, uint128 } from '../../../engine/math/decimal.js'
import { Abort, ContractError, type ContractEvent } from '../../modules/contract.js'
import type { View } from './config.js'
import { type Group, groupsOf, levelName, takeFrom } from './groups.js'
import { type BookSide, priceText } from './price.js'

/** The taker's conditions. Amounts are after the fee; `limit` is offer per received. */
export type Terms = {
  readonly minReturn?: bigint
  readonly limit?: Decimal
}

/** The result of matching an offer, in atomics. */
type Walk = {
  readonly groups: readonly Group[]
  readonly trades: readonly ContractEvent[]
  readonly consumed: bigint
  readonly remaining: bigint
  /** After the fee. */
  readonly returned: bigint
  readonly fee: bigint
}

/**
 * Fills one side group by group until the offer is used up or the limit is reached (docs/venues.md#matching). An offer
 * of zero visits the first group as well.
 *
 * @throws ContractError if the terms are not met; Abort, ArithmeticAbort where the real contract panics
 */
export function walk(view: View, side: BookSide, offer: bigint, terms: Terms): Walk {
  const groups: Group[] = []
  const trades: ContractEvent[] = []
  let remaining = offer
  let gross = 0n
  for (const group of groupsOf(view, side)) {
    const { sold, bought } = takeFrom(view.rules, group, remaining)
    // The group is dropped together with the amounts taken from it.
    if (terms.limit !== undefined && bought > 0n && (sold * ONE) / bought > terms.limit) break
    groups.push(group)
    trades.push(tradeEvent(view, side, group, sold, bought))
    if (sold > remaining) throw new Abort('attempt to subtract with overflow')
    remaining -= sold
    gross += bought
    if (remaining === 0n) break
  }
  uint128(gross * ONE)
  const fee = mulCeil(gross, view.config.feeTaker)
  const returned = gross - fee
  const { minReturn } = terms
  if (minReturn !== undefined && returned < minReturn)
    throw new ContractError(`InsufficientReturn expected ${minReturn} got ${returned}`)
  return { groups, trades, consumed: offer - remaining, remaining, returned, fee }
}

function tradeEvent(
  { version }: View,
  side: BookSide,
  { rate, pools, levels }: Group,
  sold: bigint,
  bought: bigint,
): ContractEvent {
  const names = [
    ...pools.map(({ price }) => priceText(price)),
    ...levels.map((level) => levelName(version, side, level)),
  ]
  return {
    type: 'rujira-fin/trade',
    attributes: [
      ['rate', formatDecimal(rate)],
      ['offer', `${sold}`],
      ['bid', `${bought}`],
      ...names.flatMap((name) => [['price', name] as const, ['side', side] as const]),
    ],
  }
}
