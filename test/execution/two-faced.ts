import type { Hook } from './stage.js'

/** A node that refuses every transaction while it lies, and keeps the bytes in its mempool all the same. */
export function twoFaced(): { readonly hook: Hook; tellTheTruth(): void } {
  let isLying = true
  return {
    tellTheTruth() {
      isLying = false
    },
    hook: async ({ body }, next) => {
      const reply = await next()
      if (!isLying || !body.includes('broadcast_tx_sync')) return reply
      const answer = JSON.parse(reply.body.toString())
      const result = { ...answer.result, code: 13, codespace: 'sdk', log: 'insufficient fees' }
      return { ...reply, body: Buffer.from(JSON.stringify({ ...answer, result })) }
    },
  }
}
