import { MAX_UINT128 } from '../../engine/math/decimal.js'
import type { IndexedBlock, IndexedOrder, IndexedSwap } from './history-store.js'

/** A block with the legs and changes of orders that the tables can hold; the others are quarantined. */
export type ValidatedBlock = ReturnType<typeof validate>

/** Most bytes of an indexed text, well below the limit of both databases; addresses are shorter than 100. */
const MOST_BYTES = 512

/** 10^30 dollars: the leaderboard's sums of 10^12 swaps are within the 60 digits of their column. */
const MOST_VOLUME = 10n ** 48n - 1n

/**
 * Events may contain any text, which the databases do not always accept: rows that cannot be stored are quarantined with
 * the reason, and so is the second of two rows with the same key.
 */
export function validate(block: IndexedBlock) {
  const quarantined = block.quarantined.map((event) => ({
    ...event,
    reason: storable(event.reason),
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
      const { txIndex, eventIndex } = row
      if (reason !== undefined)
        quarantined.push({ txIndex, eventIndex, reason, bytes: Buffer.from(jsonOf(row)) })
      return reason === undefined
    })
  }
  return {
    swaps: valid(block.swaps, 'leg', swapFlaw),
    orders: valid(block.orders, 'change of an order', orderFlaw),
    quarantined,
  }
}

/** Why a leg cannot be stored; `undefined` if it can. */
function swapFlaw(swap: IndexedSwap): string | undefined {
  const { sender, recipient, affiliate, input, output, fees, volumeUsd = 0n } = swap
  return (
    rowFlaw(
      {
        sender,
        recipient,
        'affiliate code': affiliate?.code ?? '',
        'affiliate address': affiliate?.address ?? '',
        'input denom': input.denom,
        'output denom': output.denom,
      },
      {
        'input amount': input.amount,
        'output amount': output.amount,
        'protocol fee': fees.protocol,
        'referral fee': fees.referral,
        'affiliate fee': fees.affiliate,
      },
    ) ?? (volumeUsd < 0n || volumeUsd > MOST_VOLUME ? 'The volume is out of all bounds' : undefined)
  )
}

const orderFlaw = (order: IndexedOrder): string | undefined => {
  const { pair, owner, offerDenom, receiveDenom, sold, added, returned, received, fee } = order
  return rowFlaw(
    { pair, owner, 'offered denom': offerDenom, 'received denom': receiveDenom },
    { sold, added, returned, received, fee },
  )
}

function rowFlaw(
  texts: Readonly<Record<string, string>>,
  amounts: Readonly<Record<string, bigint>>,
): string | undefined {
  for (const [name, text] of Object.entries(texts)) {
    if (storable(text) !== text) return `The ${name} is not text`
    if (Buffer.byteLength(text) > MOST_BYTES) return `The ${name} is over ${MOST_BYTES} bytes`
  }
  for (const [name, amount] of Object.entries(amounts))
    if (amount < 0n || amount > MAX_UINT128) return `The ${name} is not an amount: ${amount}`
  return undefined
}

/** PostgreSQL refuses NUL in text, and SQLite truncates there; a lone surrogate has no UTF-8 encoding. */
const storable = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD')

const jsonOf = (row: IndexedSwap | IndexedOrder): string =>
  JSON.stringify(row, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
