import type { HistoryAccess, QuarantinedEvent } from './history-access.js'
import { LIMIT, PAGE } from './history-request.js'

/** An event of the router that could not be read as a swap. */
export type QuarantinedDocument = {
  readonly height: number
  /** Null for what belongs to the block itself. */
  readonly tx_index: number | null
  /** Null for the transaction as a whole. */
  readonly event_index: number | null
  readonly reason: string
  /** As the node sent it, base64. */
  readonly bytes: string
}

/** A page of what could not be read as swaps, newest first. */
export type QuarantineAnswer = {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly items: readonly QuarantinedDocument[]
  readonly indexed_height: number | null
  readonly indexed_time: string | null
}

/** What the index keeps aside: nothing of it is counted as a swap, and nothing of it is lost. */
export async function quarantine(
  access: Pick<HistoryAccess, 'quarantined'>,
  { page = PAGE, limit = LIMIT }: { readonly page?: number; readonly limit?: number },
): Promise<QuarantineAnswer> {
  const { total, items, indexed } = await access.quarantined({ page, limit })
  return {
    page,
    limit,
    total,
    items: items.map(quarantinedDocument),
    indexed_height: indexed?.height ?? null,
    indexed_time: indexed?.time ?? null,
  }
}

const quarantinedDocument = (event: QuarantinedEvent): QuarantinedDocument => ({
  height: event.height,
  tx_index: event.txIndex < 0 ? null : event.txIndex,
  event_index: event.eventIndex < 0 ? null : event.eventIndex,
  reason: event.reason,
  bytes: Buffer.from(event.bytes).toString('base64'),
})
