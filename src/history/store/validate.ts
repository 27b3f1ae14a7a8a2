import { VOLUME_DIGITS } from './rows.js'
import type { IndexedBlock, IndexedOrder, IndexedSwap, Quarantined } from './swap-row.js'

/** A block's legs and changes of orders that the tables can hold, and everything else of it. */
export type ValidatedBlock = {
  readonly swaps: readonly IndexedSwap[]
  readonly orders: readonly IndexedOrder[]
  readonly quarantined: readonly Quarantined[]
}

/** What an index of either database can hold with room to spare; addresses are shorter than 100. */
const MOST_BYTES = 512

const MOST_AMOUNT = 2n ** 128n - 1n
const MOST_VOLUME = 10n ** BigInt(VOLUME_DIGITS) - 1n

/**
 * Anyone can print anything in an event, and neither database takes all of it: what cannot be kept as
 * a row goes to quarantine with the reason, and so does the second of two rows with one key.
 */
export function validate(block: IndexedBlock): ValidatedBlock {
  const quarantined = block.quarantined.map((thing) => ({
    ...thing,
    reason: printable(thing.reason),
  }))
  const valid = <Row extends IndexedSwap | IndexedOrder>(
    rows: readonly Row[],
    what: string,
    flawOf: (row: Row) => string | undefined,
  ): readonly Row[] => {
    const keys = new Set<string>()
    return rows.filter((row) => {
      const key = `${row.txIndex} ${row.msgIndex} ${row.eventIndex}`
      const reason = keys.has(key) ? `Another ${what} has the key ${key}` : flawOf(row)
      keys.add(key)
      if (reason !== undefined)
        quarantined.push({ ...placeOf(row), reason, bytes: Buffer.from(jsonOf(row)) })
      return reason === undefined
    })
  }
  return {
    swaps: valid(block.swaps, 'leg', swapFlaw),
    orders: valid(block.orders, 'change of an order', orderFlaw),
    quarantined,
  }
}

/** Why a leg cannot be kept; nothing when it can. */
function swapFlaw(swap: IndexedSwap): string | undefined {
  const { volumeUsd = 0n } = swap
  return (
    rowFlaw(swap, textsOf(swap), amountsOf(swap)) ??
    (volumeUsd < 0n || volumeUsd > MOST_VOLUME ? 'The volume is out of all bounds' : undefined)
  )
}

const orderFlaw = (order: IndexedOrder): string | undefined => {
  const { pair, owner, offerDenom, receiveDenom, sold, added, returned, received, fee } = order
  return rowFlaw(
    order,
    Object.entries({ pair, owner, 'offered denom': offerDenom, 'received denom': receiveDenom }),
    Object.entries({ sold, added, returned, received, fee }),
  )
}

function rowFlaw(
  row: IndexedSwap | IndexedOrder,
  texts: readonly (readonly [string, string])[],
  amounts: readonly (readonly [string, bigint])[],
): string | undefined {
  for (const [name, text] of texts) {
    if (!isText(text)) return `The ${name} is not text`
    if (Buffer.byteLength(text) > MOST_BYTES) return `The ${name} is over ${MOST_BYTES} bytes`
  }
  for (const [name, amount] of amounts)
    if (amount < 0n || amount > MOST_AMOUNT) return `The ${name} is not an amount: ${amount}`
  for (const index of [row.txIndex, row.msgIndex, row.eventIndex])
    if (!Number.isSafeInteger(index)) return 'An index is not a whole number'
  return /^[0-9A-F]{64}$/.test(row.txHash) ? undefined : 'The hash of the transaction is not one'
}

const textsOf = (swap: IndexedSwap): readonly (readonly [string, string])[] => [
  ['sender', swap.sender],
  ['recipient', swap.recipient],
  ['affiliate code', swap.affiliate?.code ?? ''],
  ['affiliate address', swap.affiliate?.address ?? ''],
  ['input denom', swap.input.denom],
  ['output denom', swap.output.denom],
]

const amountsOf = (swap: IndexedSwap): readonly (readonly [string, bigint])[] => [
  ['input amount', swap.input.amount],
  ['output amount', swap.output.amount],
  ['protocol fee', swap.fees.protocol],
  ['referral fee', swap.fees.referral],
  ['affiliate fee', swap.fees.affiliate],
]

/** PostgreSQL refuses NUL in text and SQLite cuts it off there; half a surrogate is no UTF-8. */
const isText = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text)

const printable = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD')

/** Positions that are no whole numbers have none in the quarantine either. */
const placeOf = ({ txIndex, eventIndex }: IndexedSwap | IndexedOrder) => ({
  txIndex: Number.isSafeInteger(txIndex) ? txIndex : -1,
  eventIndex: Number.isSafeInteger(eventIndex) ? eventIndex : -1,
})

const jsonOf = (row: IndexedSwap | IndexedOrder): string =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
