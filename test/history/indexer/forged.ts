import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { dataHash, headerHash, resultsHash } from '../../../src/demo-chain/blocks/hashing.js'
import { headerJson } from '../../../src/demo-chain/node/rpc/rpc-json.js'
import type { changing } from '../../execution/tx-nodes.js'

type Change = Parameters<typeof changing>[0]

/** Gives a block without transactions in place of a real one, and a header that names it after it if there is one. */
export function forged(real: EmbeddedChain, height: number): Change {
  const header = { ...real.block(height)!.header, dataHash: dataHash([]) }
  const hash = headerHash(header)
  const realNext = real.block(height + 1)?.header
  const next = realNext && {
    ...realNext,
    lastBlockHash: hash,
    lastResultsHash: resultsHash([]),
  }
  return (method, result) => {
    if (method === 'block' && result.block.header.height === `${height}`)
      Object.assign(result, {
        block_id: { hash },
        block: { ...result.block, header: headerJson(header), data: { txs: [] } },
      })
    if (method === 'block_results' && result.height === `${height}`) result.txs_results = []
    for (const each of next === undefined ? [header] : [header, next])
      if (method === 'commit' && result.signed_header.header.height === `${each.height}`)
        result.signed_header = {
          header: headerJson(each),
          commit: { block_id: { hash: headerHash(each) } },
        }
  }
}
