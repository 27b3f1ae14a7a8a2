import { txHashOf } from '../../src/chain/tx/unsigned-tx.js'
import { jsonReply } from '../../src/demo-chain/node/reply.js'
import type { Hook } from './stage.js'

/**
 * A node that refuses every transaction while it lies.
 *
 * @param keeps whether its mempool keeps the bytes all the same
 */
export function twoFaced({ keeps = true } = {}): { readonly hook: Hook; tellTheTruth(): void } {
  let isLying = true
  return {
    tellTheTruth() {
      isLying = false
    },
    hook: async ({ body }, next) => {
      if (!isLying || !body.includes('broadcast_tx_sync')) return next()
      if (keeps) await next()
      const { id, params } = JSON.parse(body.toString())
      const hash = txHashOf(Buffer.from(params.tx, 'base64'))
      const result = { code: 13, codespace: 'sdk', data: '', log: 'insufficient fees', hash }
      return jsonReply(200, JSON.stringify({ jsonrpc: '2.0', id, result }))
    },
  }
}
