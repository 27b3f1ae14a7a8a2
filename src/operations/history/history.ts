import { type Json, SwapError } from '../../engine/errors.js'
import type { Coin } from '../../engine/market/token.js'
import { type Decimal, ONE } from '../../engine/math/decimal.js'
import { formatRational, rational } from '../../engine/math/rational.js'
import { type CoinDocument, coinDocument } from '../route-document.js'
import type { ExecutedLeg, HistoryPort, LegsFilter } from './history-port.js'
import { type HistoryRequest, LIMIT, PAGE, readHistoryRequest } from './history-request.js'

/** One executed leg (docs/api.md#executed-swaps). */
export type LegDocument = {
  readonly tx_hash: string
  readonly msg_index: number
  readonly height: number
  readonly time: string
  readonly type: 'swap' | 'arbitrage'
  readonly sender: string
  readonly recipient: string
  readonly affiliate: string | null
  readonly input: CoinDocument
  readonly output: CoinDocument
  readonly path: readonly string[]
  readonly hops: readonly Json[]
  readonly fees: {
    readonly protocol: CoinDocument
    readonly referral: CoinDocument
    readonly affiliate: CoinDocument
  }
  readonly volume_usd: string | null
}

/** A page of executed legs, newest first. */
export type LegsAnswer = {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly items: readonly LegDocument[]
  readonly indexed_height: number | null
  readonly indexed_time: string | null
}

/** Who swapped most in a period, up to the newest block of the index. */
export type TopAnswer = {
  readonly period: '1d' | '7d' | '30d'
  readonly from: string | null
  readonly to: string | null
  readonly items: readonly {
    readonly rank: number
    readonly sender: string
    readonly swaps: number
    readonly volume_usd: string | null
  }[]
}

export type HistoryAnswer = LegsAnswer | TopAnswer

export const isTop = (answer: HistoryAnswer): answer is TopAnswer => 'period' in answer

/**
 * Answers one of the five questions about what was executed. The same bytes through both doors.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_ADDRESS
 */
export async function history(port: HistoryPort, input: unknown): Promise<HistoryAnswer> {
  const request = readHistoryRequest(input)
  const { page = PAGE, limit = LIMIT, period } = request
  if (period !== undefined) return top(port, period, limit)
  const found = await port.page(await legsFilter(port, request), { page, limit })
  return {
    page,
    limit,
    total: found.total,
    items: found.items.map(legDocument),
    indexed_height: found.indexed?.height ?? null,
    indexed_time: found.indexed?.time ?? null,
  }
}

async function top(
  port: HistoryPort,
  period: TopAnswer['period'],
  limit: number,
): Promise<TopAnswer> {
  const { from, to, items } = await port.top(period, limit)
  return {
    period,
    from: from ?? null,
    to: to ?? null,
    items: items.map(({ rank, sender, swaps, volumeUsd }) => ({
      rank,
      sender,
      swaps,
      volume_usd: dollars(volumeUsd),
    })),
  }
}

async function legsFilter(port: HistoryPort, request: HistoryRequest): Promise<LegsFilter> {
  const { sender, txHash, affiliate, type } = request
  if (sender !== undefined) return { by: 'sender', sender: await addressOf(port, sender) }
  if (txHash !== undefined)
    return { by: 'transaction', txHash: txHash.replace(/^0x/i, '').toUpperCase() }
  if (affiliate !== undefined) return { by: 'affiliate', affiliate }
  return { by: 'latest', ...(type !== undefined && { type }) }
}

/** An address that cannot be one would be answered with nothing, as if it had never swapped. */
async function addressOf({ prefix }: HistoryPort, sender: string): Promise<string> {
  const { addressFault: reasonAgainst } = await import('../address.js')
  const why = reasonAgainst(sender, prefix)
  if (why === undefined) return sender.toLowerCase()
  const shown = sender.length > 100 ? `${sender.slice(0, 97)}...` : sender
  throw new SwapError('INVALID_ADDRESS', `"${shown}" is no wallet of this network`, {
    why,
    hint: `give an address that starts with ${prefix}1`,
    members: { pointer: '/sender' },
  })
}

function legDocument(leg: ExecutedLeg): LegDocument {
  const fee = (amount: bigint): CoinDocument =>
    coinDocument({ denom: leg.output.denom, amount } satisfies Coin)
  return {
    tx_hash: leg.txHash,
    msg_index: leg.msgIndex,
    height: leg.height,
    time: leg.time,
    type: leg.type,
    sender: leg.sender,
    recipient: leg.recipient,
    affiliate: leg.affiliate?.code ?? null,
    input: coinDocument(leg.input),
    output: coinDocument(leg.output),
    path: leg.path,
    hops: leg.hops,
    fees: {
      protocol: fee(leg.fees.protocol),
      referral: fee(leg.fees.referral),
      affiliate: fee(leg.fees.affiliate),
    },
    volume_usd: dollars(leg.volumeUsd),
  }
}

const dollars = (value: Decimal | undefined): string | null =>
  value === undefined ? null : formatRational(rational(value, ONE))
