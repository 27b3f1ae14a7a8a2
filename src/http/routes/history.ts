import { SwapError } from '../../errors.js'
import type { Endpoint } from '../endpoint.js'

export const historyEndpoint: Endpoint = {
  name: 'history',
  method: 'GET',
  path: '/history',
  tag: 'history',
  summary: 'Swaps that were executed, from the index of the chain',
  codes: [],
}

/** Refuses: the index is not there. `kept` is false for a process that was told to keep none. */
export function refuseHistory(kept: boolean): never {
  throw new SwapError('NOT_READY', 'there is no index of the history to answer from', {
    why: kept
      ? 'this version does not index the chain'
      : 'this process was started to keep no index',
    hint: 'read the transactions from the node itself',
    members: { retry_after_ms: 60_000 },
  })
}
