import type { Static } from 'typebox'
import * as Type from 'typebox'
import { type Json, SwapError } from '../../engine/errors.js'
import { DEFAULTS } from '../defaults.js'
import * as Doc from '../document-schema.js'
import { flagNameOf } from '../request-values.js'
import { TX_HASH_PATTERN } from '../tx-hash.js'
import { validate } from '../validate.js'
import type { PageOf, PageWindow, Period } from './history-port.js'

const dollarsAt = (prices: string) =>
  Doc.textOrNull(`At the mid prices of ${prices}; a decimal, rounded down. Null where unknown.`)

const ExecutedHop = Doc.closedObject({
  address: Doc.text('The pair.'),
  input: Doc.coin('Offered to the pair.'),
  output: Doc.coin('Paid by the pair, after its fee.'),
  fee: Doc.coin('Fee of the pair, taken from the output.'),
  unsold: Doc.coin('What the pair did not take.'),
  trades: Doc.count('Price levels that were traded with.'),
})

/** Position of a history row on the chain. */
export const placeOnChain = {
  tx_hash: Doc.text('Hash of the transaction, upper case hexadecimal.'),
  msg_index: Doc.count('The message of the transaction.'),
  height: Doc.count('Block of the transaction.'),
  time: Doc.text('Of the block, RFC 3339.'),
}

/** One executed leg (docs/api.md#executed-swaps). */
const LegDocument = Doc.closedObject({
  ...placeOnChain,
  type: Doc.word<'swap' | 'arbitrage'>('arbitrage where input and output are one denom, else swap'),
  sender: Doc.text('The wallet that signed.'),
  recipient: Doc.text('The address that was paid.'),
  affiliate: Doc.textOrNull(
    'The code; null without one, or where it was not registered at that height.',
  ),
  input: Doc.coin('Sold.'),
  output: Doc.coin('Paid, after all fees.'),
  path: Doc.listOf('Denoms from the input to the output.', Type.String()),
  hops: Doc.listOf('In order of execution.', ExecutedHop),
  fees: Doc.object('What the router took.', {
    protocol: Doc.coin('Fee of the protocol.'),
    referral: Doc.coin('Part of the protocol fee that went to the referrer.'),
    affiliate: Doc.coin('Fee of the affiliate.'),
  }),
  volume_usd: dollarsAt('that block'),
})
export type LegDocument = Doc.DocumentOf<typeof LegDocument>

/** The members of a page of an index. */
export const pageMembers = <Item extends Type.TSchema>(item: Item) => ({
  page: Doc.count('From 1.'),
  limit: Doc.count('Items of a page.'),
  total: Doc.count('Of all pages.'),
  items: Doc.listOf('Newest first.', item),
  indexed_height: Doc.countOrNull('The newest block of the index.'),
  indexed_time: Doc.textOrNull('Of that block, RFC 3339.'),
  missing_blocks: Doc.count('Blocks before it whose content is not in the index.'),
})

/** The requested page. */
export const windowOf = ({
  page = DEFAULTS.page,
  limit = DEFAULTS.pageSize,
}: Partial<PageWindow>): PageWindow => ({ page, limit })

/** The members of a page, from rows of an index. */
export const pageOf = <Row, Item>(
  { page, limit }: PageWindow,
  { total, items, indexed }: PageOf<Row>,
  itemOf: (row: Row) => Item,
) => ({
  page,
  limit,
  total,
  items: items.map(itemOf),
  indexed_height: indexed?.height ?? null,
  indexed_time: indexed?.time ?? null,
  missing_blocks: indexed?.missing ?? 0,
})

/** A page of executed legs, newest first. */
const LegsAnswer = Doc.closedObject(pageMembers(LegDocument))
export type LegsAnswer = Doc.DocumentOf<typeof LegsAnswer>

/** The wallets with the largest volume of a period, up to the newest block of the index. */
const TopAnswer = Doc.object('For a request with `period`.', {
  period: Doc.word<Period>('1d, 7d or 30d'),
  from: Doc.textOrNull('Block time, RFC 3339.'),
  to: Doc.textOrNull('Of the newest block of the index.'),
  items: Doc.objects('Largest volume first.', {
    rank: Doc.count('From 1.'),
    sender: Doc.text('The wallet that signed.'),
    swaps: Doc.count('Swaps in the period.'),
    volume_usd: dollarsAt('the blocks; swaps without a price do not count'),
  }),
  missing_blocks: Doc.count('Blocks before the newest one that are not in the index.'),
})
export type TopAnswer = Doc.DocumentOf<typeof TopAnswer>

/** The answer of `GET /history` and of `swap history --json`. */
export const HistoryAnswer = Type.Union([LegsAnswer, TopAnswer])
export type HistoryAnswer = Doc.DocumentOf<typeof HistoryAnswer>

/** An event of the router that could not be decoded as a swap. */
const QuarantinedDocument = Doc.closedObject({
  height: Doc.count('Block of the event.'),
  tx_index: Doc.countOrNull('Its transaction; null for what belongs to the block itself.'),
  event_index: Doc.countOrNull('Its place; null for the transaction as a whole.'),
  reason: Doc.text('Why it could not be read.'),
  bytes: Doc.text('As the node sent it, base64.'),
})
export type QuarantinedDocument = Doc.DocumentOf<typeof QuarantinedDocument>

/** The answer of `swap history --quarantine --json`. */
export const QuarantineAnswer = Doc.closedObject(pageMembers(QuarantinedDocument))
export type QuarantineAnswer = Doc.DocumentOf<typeof QuarantineAnswer>

const coin = (denom: string, amount: string) => ({ denom, amount })
const usdc = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
const wallet = 'demo1wyt49zf66drw7lgt60ylgsuhs5tl62ancs33lx'

/** An example answer. */
export const historyExample = {
  page: 1,
  limit: 20,
  total: 1,
  items: [
    {
      tx_hash: '8B7DF143D91C716ECFA5FC1730022F6B421B05CEDEE8FD52B1FC65A96030AD52',
      msg_index: 0,
      height: 118,
      time: '2026-05-01T12:03:56Z',
      type: 'swap',
      sender: wallet,
      recipient: wallet,
      affiliate: 'acme',
      input: coin('btc-btc', '1000000'),
      output: coin(usdc, '77742142960'),
      path: ['btc-btc', usdc],
      hops: [
        {
          address: 'demo1qwq27s3phjuvs98mwuh40wstl9fvwyvmlr5hcy9fvgmgtn5ydyqqwzr4wd',
          input: coin('btc-btc', '1000000'),
          output: coin(usdc, '78054360403'),
          fee: coin(usdc, '117257427'),
          unsold: coin('btc-btc', '0'),
          trades: 1,
        },
      ],
      fees: {
        protocol: coin(usdc, '78054361'),
        referral: coin(usdc, '19513590'),
        affiliate: coin(usdc, '234163082'),
      },
      volume_usd: '782.9',
    },
  ],
  indexed_height: 120,
  indexed_time: '2026-05-01T12:04:00Z',
  missing_blocks: 0,
}

export const pageParameters = {
  page: Type.Optional(Doc.wholeBetween(1, 1_000_000, 'The page.', DEFAULTS.page)),
  limit: Type.Optional(Doc.wholeBetween(1, 100, 'Rows of a page.', DEFAULTS.pageSize)),
}

export const txHashOf = (description: string) =>
  Type.String({ pattern: TX_HASH_PATTERN, description })

/** Parameters of `GET /history` and arguments of `swap history` (docs/api.md#executed-swaps). */
export const HistoryRequest = Doc.closedObject({
  type: Type.Optional(Doc.oneOf(['swap', 'arbitrage'], 'The latest of one type.')),
  sender: Type.Optional(
    Type.String({ minLength: 1, description: 'Swaps that this wallet signed. An address.' }),
  ),
  txHash: Type.Optional(txHashOf('All legs of this transaction. 64 hexadecimal digits.')),
  affiliate: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description:
        'Swaps of an affiliate, by its code or address. The address is the one that its fees go to.',
    }),
  ),
  period: Type.Optional(
    Doc.oneOf(['1d', '7d', '30d'], 'Top wallets by dollars, in so many days. Of block time.'),
  ),
  ...pageParameters,
})
export type HistoryRequest = Static<typeof HistoryRequest>

/** The mutually exclusive filters. */
const MODES = ['sender', 'txHash', 'affiliate', 'period', 'type'] as const

/** Validates external parameters. @throws SwapError INVALID_REQUEST */
export function readHistoryRequest(input: unknown): HistoryRequest {
  const request = validate(HistoryRequest, input, { cli: 'history', http: 'GET /history' })
  requireOne(request, MODES)
  return request
}

/** @throws SwapError INVALID_REQUEST for two exclusive filters */
export function requireOne<Request>(
  request: Request,
  modes: readonly (keyof Request & string)[],
): void {
  const modesGiven = modes.filter((name) => request[name] !== undefined)
  if (modesGiven.length < 2) return
  const errors = modesGiven.map((name) => ({
    pointer: `/${name}`,
    detail: 'cannot be combined with the others',
  }))
  throw new SwapError(
    'INVALID_REQUEST',
    `${modesGiven.join(' and ')} cannot be requested together`,
    {
      why: 'each of them requests another list',
      hint: {
        cli: `keep one of ${modesGiven.map((name) => `--${flagNameOf(name)}`).join(', ')}`,
        http: `keep one of ${modesGiven.join(', ')}`,
      },
      members: { errors: errors as Json },
    },
  )
}
