import { levelRate } from '../../../engine/market/venues/maker-level.js'
import { poolFactor } from '../../../engine/market/venues/resting-pool.js'
import type { Decimal } from '../../../engine/math/decimal.js'
import { Abort, ContractError } from '../../wasm/contract.js'
import { GAS } from '../../wasm/gas.js'
import { fieldsOf, read } from '../serde.js'
import { givenDenom, wantedDenom } from './config.js'
import { nonEmptyPrefix, type PriceKind, priceAfter } from './keys.js'
import { loadPool } from './ledger.js'
import type { LevelPart, PoolPart } from './parts.js'
import { type BookSide, marketSide, rateOf } from './price.js'
import type { View } from './view.js'

/** Where a walk's gas is spent, as the node says it. */
export const chargeLevel = ({ call }: View): void => call.gas.charge(GAS.level, 'wasm contract')
const chargePool = ({ call }: View): void => call.gas.charge(GAS.pool, 'wasm contract')

/** The non-empty pools of one kind, best first, each read from storage when it is looked at. */
export function* poolLane(view: View, side: BookSide, kind: PriceKind): Iterator<PoolPart, void> {
  const { storage } = view.call
  const prefix = nonEmptyPrefix(side, kind)
  const ascending = storage.keys(prefix)
  for (const key of side === 'base' ? ascending : [...ascending].reverse()) {
    chargePool(view)
    const price = priceAfter(prefix, key)
    const rate = rateOf(price, view.oracle)
    if (side === 'base' && rate === 0n) throw noInverse()
    const factor = poolFactor(marketSide(side), rate)
    yield { rate, side, price, factor, pool: loadPool(storage, side, price), ended: undefined }
  }
}

const noInverse = () => new Abort('called `Option::unwrap()` on a `None` value')

type Quote = { readonly price: Decimal; readonly size: bigint; readonly data: string | undefined }

/** The levels of one maker, each asked for when it is looked at. One that fails has no more. */
export function* makerLane(view: View, side: BookSide, maker: string): Iterator<LevelPart, void> {
  const { tick } = view.config
  const denoms = {
    offer_denom: wantedDenom(view.config, side),
    ask_denom: givenDenom(view.config, side),
  }
  let before: { readonly price: string; readonly data: string | undefined } | undefined
  for (;;) {
    const quote = askMaker(view, maker, {
      min_price: before?.price ?? null,
      ...denoms,
      data: before?.data ?? null,
    })
    if (quote === undefined) return
    chargeLevel(view)
    const { price, size, data } = quote.level
    if (price === 0n && side === 'base') throw noInverse()
    const rate = levelRate(marketSide(side), tick, { price, size })
    yield { rate, side, maker, price, left: size, sold: 0n, bought: 0n }
    before = { price: quote.written, data }
  }
}

function askMaker(
  { call }: View,
  maker: string,
  quote: { readonly [key: string]: string | null },
): { readonly level: Quote; readonly written: string } | undefined {
  try {
    const answer = call.querier.smart(maker, { quote })
    if (answer === null) return undefined
    const fields = fieldsOf('rujira_rs::bow::QuoteResponse', answer)
    return {
      level: {
        price: fields.decimal('price'),
        size: fields.uint128('size'),
        data: fields.optional('data', read.text),
      },
      written: fields.text('price'),
    }
  } catch (error) {
    if (error instanceof ContractError) return undefined
    throw error
  }
}
