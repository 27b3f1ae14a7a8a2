import { VOLUME_DIGITS } from './rows.js'
import type { IndexedBlock, IndexedSwap, Quarantined } from './swap-row.js'

/** A block's legs that the tables can hold, and everything else of it. */
export type ValidatedBlock = {
  readonly swaps: readonly IndexedSwap[]
  readonly quarantined: readonly Quarantined[]
}

/** What an index of either database can hold with room to spare; addresses are shorter than 100. */
const MOST_BYTES = 512

const MOST_AMOUNT = 2n ** 128n - 1n
const MOST_VOLUME = 10n ** BigInt(VOLUME_DIGITS) - 1n

/**
 * Anyone can print anything in an event, and neither database takes all of it: what cannot be kept as
 * a row goes to quarantine with the reason, and so does the second of two legs with one key.
 */
export function validate(block: IndexedBlock): ValidatedBlock {
  const swaps: IndexedSwap[] = []
  const quarantined = block.quarantined.map((thing) => ({
    ...thing,
    reason: printable(thing.reason),
  }))
  const keys = new Set<string>()
  for (const swap of block.swaps) {
    const key = `${swap.txIndex} ${swap.msgIndex} ${swap.eventIndex}`
    const reason = keys.has(key) ? `Another leg has the key ${key}` : flawOf(swap)
    keys.add(key)
    if (reason === undefined) swaps.push(swap)
    else quarantined.push({ ...placeOf(swap), reason, bytes: Buffer.from(jsonOf(swap)) })
  }
  return { swaps, quarantined }
}

/** Why a leg cannot be kept; nothing when it can. */
function flawOf(swap: IndexedSwap): string | undefined {
  for (const [name, text] of textsOf(swap)) {
    if (!isText(text)) return `The ${name} is not text`
    if (Buffer.byteLength(text) > MOST_BYTES) return `The ${name} is over ${MOST_BYTES} bytes`
  }
  for (const [name, amount] of amountsOf(swap))
    if (amount < 0n || amount > MOST_AMOUNT) return `The ${name} is not an amount: ${amount}`
  for (const index of [swap.txIndex, swap.msgIndex, swap.eventIndex])
    if (!Number.isSafeInteger(index)) return 'An index is not a whole number'
  if (!/^[0-9A-F]{64}$/.test(swap.txHash)) return 'The hash of the transaction is not one'
  const { volumeUsd = 0n } = swap
  return volumeUsd < 0n || volumeUsd > MOST_VOLUME ? 'The volume is out of all bounds' : undefined
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
const placeOf = ({ txIndex, eventIndex }: IndexedSwap) => ({
  txIndex: Number.isSafeInteger(txIndex) ? txIndex : -1,
  eventIndex: Number.isSafeInteger(eventIndex) ? eventIndex : -1,
})

const jsonOf = (swap: IndexedSwap): string =>
  JSON.stringify(swap, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
