import type { Market } from '../../engine/market/market.js'
import { decodeSnapshot } from '../../engine/snapshot/decode.js'
import { viewStateFile } from '../blocks/restore.js'
import { documentOf } from '../genesis/document.js'

/** The market of the newest block in a chain's state file, whoever makes its blocks. */
export function savedMarket(path: string): Market | undefined {
  const chain = viewStateFile(path)
  return chain && decodeSnapshot(documentOf(chain), 'the demo chain')
}
