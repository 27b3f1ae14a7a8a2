import { toBase64 } from '../../platform/encoding.js'
import { DEFAULTS } from '../defaults.js'
import type { HistoryAccess, QuarantinedEvent } from './history-access.js'
import { pageOf, type QuarantineAnswer, type QuarantinedDocument } from './history-answer.js'

/** What the index keeps aside: nothing of it is counted as a swap, and nothing of it is lost. */
export async function quarantine(
  access: Pick<HistoryAccess, 'quarantined'>,
  {
    page = DEFAULTS.page,
    limit = DEFAULTS.pageSize,
  }: { readonly page?: number; readonly limit?: number },
): Promise<QuarantineAnswer> {
  const window = { page, limit }
  return pageOf(window, await access.quarantined(window), quarantinedDocument)
}

const quarantinedDocument = (event: QuarantinedEvent): QuarantinedDocument => ({
  height: event.height,
  tx_index: event.txIndex < 0 ? null : event.txIndex,
  event_index: event.eventIndex < 0 ? null : event.eventIndex,
  reason: event.reason,
  bytes: toBase64(event.bytes),
})
