import type { Block } from '../blocks/block.js'
import type { Chain } from '../blocks/chain.js'
import type { Log } from './log.js'

/** Writes each block of a chain to a log, and each transaction that failed; the result stops that. */
export const logBlocks = (chain: Chain, log: Log): (() => void) =>
  chain.subscribe(({ header, txs }: Block) => {
    const failed = txs.filter(({ result }) => result.code !== 0)
    log.write('block', { height: header.height, txs: txs.length, failed: failed.length })
    for (const { hash, result } of failed)
      log.write('tx_failed', {
        height: header.height,
        hash,
        codespace: result.codespace,
        code: result.code,
        reason: result.log,
      })
  })
