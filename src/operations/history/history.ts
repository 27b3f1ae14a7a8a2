import type { Coin } from '../../engine/market/token.js'
import { type Decimal, ONE } from '../../engine/math/decimal.js'
import { formatRational, rational } from '../../engine/math/rational.js'
import { toBase64 } from '../../platform/encoding.js'
import { coinDocument } from '../document-parts.js'
import type { CoinDocument } from '../document-schema.js'
import { requireAddress } from '../names.js'
import { plainHash } from '../tx-hash.js'
import {
  type HistoryAnswer,
  type HistoryRequest,
  type LegDocument,
  pageOf,
  type QuarantineAnswer,
  type QuarantinedDocument,
  readHistoryRequest,
  type TopAnswer,
  windowOf,
} from './history-documents.js'
import type {
  ExecutedLeg,
  HistoryAccess,
  HistoryPort,
  LegsFilter,
  PageWindow,
  QuarantinedEvent,
} from './history-port.js'

export const isTop = (answer: HistoryAnswer): answer is TopAnswer => 'period' in answer

/**
 * Answers one of the five history queries; the document is the same on the command line and over HTTP.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_ADDRESS
 */
export async function history(port: HistoryPort, input: unknown): Promise<HistoryAnswer> {
  const request = readHistoryRequest(input)
  const window = windowOf(request)
  if (request.period !== undefined) return top(port, request.period, window)
  return pageOf(window, await port.page(await legsFilter(port, request), window), legDocument)
}

async function top(
  port: HistoryPort,
  period: TopAnswer['period'],
  window: PageWindow,
): Promise<TopAnswer> {
  const { from, to, items, missing } = await port.top(period, window)
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
    missing_blocks: missing,
  }
}

async function legsFilter(port: HistoryPort, request: HistoryRequest): Promise<LegsFilter> {
  const { sender, txHash, affiliate, type } = request
  if (sender !== undefined)
    return { by: 'sender', sender: await addressOf(port, sender, '/sender') }
  if (txHash !== undefined) return { by: 'transaction', txHash: plainHash(txHash) }
  if (affiliate !== undefined) return { by: 'affiliate', affiliate }
  return { by: 'latest', ...(type !== undefined && { type }) }
}

/** Refuses an invalid address, which would look like one without swaps. */
export async function addressOf(
  { prefix }: Pick<HistoryPort, 'prefix'>,
  sender: string,
  pointer: string,
  subject = 'wallet',
): Promise<string> {
  const { withoutCapitals } = await import('../address.js')
  const address = withoutCapitals(sender)
  await requireAddress(address, prefix, pointer, `is no ${subject} of this network`)
  return address
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

/** The quarantined events, which are not counted as swaps. */
export async function quarantine(
  access: Pick<HistoryAccess, 'quarantined'>,
  request: Partial<PageWindow>,
): Promise<QuarantineAnswer> {
  const window = windowOf(request)
  return pageOf(window, await access.quarantined(window), quarantinedDocument)
}

const quarantinedDocument = (event: QuarantinedEvent): QuarantinedDocument => ({
  height: event.height,
  tx_index: event.txIndex < 0 ? null : event.txIndex,
  event_index: event.eventIndex < 0 ? null : event.eventIndex,
  reason: event.reason,
  bytes: toBase64(event.bytes),
})
