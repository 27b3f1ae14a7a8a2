import { VOLUME_DIGITS } from './rows.js'
import type { IndexedBlock, Quarantined, SwapFact } from './swap-row.js'

/** A block's legs that the tables can hold, and everything else of it. */
export type Sifted = {
  readonly facts: readonly SwapFact[]
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
export function sift(block: IndexedBlock): Sifted {
  const facts: SwapFact[] = []
  const quarantined = block.quarantined.map((thing) => ({
    ...thing,
    reason: printable(thing.reason),
  }))
  const keys = new Set<string>()
  for (const fact of block.facts) {
    const key = `${fact.txIndex} ${fact.msgIndex} ${fact.eventIndex}`
    const reason = keys.has(key) ? `Another leg has the key ${key}` : flawOf(fact)
    keys.add(key)
    if (reason === undefined) facts.push(fact)
    else quarantined.push({ ...placeOf(fact), reason, bytes: Buffer.from(jsonOf(fact)) })
  }
  return { facts, quarantined }
}

/** Why a leg cannot be kept; nothing when it can. */
function flawOf(fact: SwapFact): string | undefined {
  for (const [name, text] of textsOf(fact)) {
    if (!isText(text)) return `The ${name} is not text`
    if (Buffer.byteLength(text) > MOST_BYTES) return `The ${name} is over ${MOST_BYTES} bytes`
  }
  for (const [name, amount] of amountsOf(fact))
    if (amount < 0n || amount > MOST_AMOUNT) return `The ${name} is not an amount: ${amount}`
  for (const index of [fact.txIndex, fact.msgIndex, fact.eventIndex])
    if (!Number.isSafeInteger(index)) return 'An index is not a whole number'
  if (!/^[0-9A-F]{64}$/.test(fact.txHash)) return 'The hash of the transaction is not one'
  const { volumeUsd = 0n } = fact
  return volumeUsd < 0n || volumeUsd > MOST_VOLUME ? 'The volume is out of all bounds' : undefined
}

const textsOf = (fact: SwapFact): readonly (readonly [string, string])[] => [
  ['sender', fact.sender],
  ['recipient', fact.recipient],
  ['affiliate code', fact.affiliate?.code ?? ''],
  ['affiliate address', fact.affiliate?.address ?? ''],
  ['input denom', fact.input.denom],
  ['output denom', fact.output.denom],
]

const amountsOf = (fact: SwapFact): readonly (readonly [string, bigint])[] => [
  ['input amount', fact.input.amount],
  ['output amount', fact.output.amount],
  ['protocol fee', fact.fees.protocol],
  ['referral fee', fact.fees.referral],
  ['affiliate fee', fact.fees.affiliate],
]

/** PostgreSQL refuses NUL in text and SQLite cuts it off there; half a surrogate is no UTF-8. */
const isText = (text: string): boolean => !/[\0\p{Surrogate}]/u.test(text)

const printable = (text: string): string => text.replace(/[\0\p{Surrogate}]/gu, '\uFFFD')

/** Positions that are no whole numbers have none in the quarantine either. */
const placeOf = ({ txIndex, eventIndex }: SwapFact) => ({
  txIndex: Number.isSafeInteger(txIndex) ? txIndex : -1,
  eventIndex: Number.isSafeInteger(eventIndex) ? eventIndex : -1,
})

const jsonOf = (fact: SwapFact): string =>
  JSON.stringify(fact, (_, value) => (typeof value === 'bigint' ? value.toString() : value))
