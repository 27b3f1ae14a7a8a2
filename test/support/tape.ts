import { marketSnapshotOf } from '../../src/demo-chain/genesis/market-snapshot.js'
import type { Market } from '../../src/engine/market/market.js'
import { decodeSnapshot } from '../../src/engine/snapshot/decode.js'
import { openRecorder } from '../../src/tape/recorder.js'
import { chainOf, threePairs } from './chain.js'

/** The markets of so many consecutive blocks of a demo chain with few pairs. */
export function blocksOf(count: number, seed = 1, document = threePairs): readonly Market[] {
  const chain = chainOf({ seed }, document)
  return Array.from({ length: count }, () => {
    chain.makeBlock()
    return decodeSnapshot(JSON.parse(JSON.stringify(marketSnapshotOf(chain))), 'the chain')
  })
}

/** Records markets. @returns the path */
export async function recordTape(path: string, markets: readonly Market[]): Promise<string> {
  const recorder = await openRecorder(path)
  for (const market of markets) recorder.append(market)
  recorder.close()
  return path
}

/** A frame whose digest is not that of its block; the first height is a key frame. */
export const frameOf = (height: number, payload: Buffer) => ({
  height,
  isKey: height === 1,
  digest: Buffer.alloc(32),
  payload,
})
