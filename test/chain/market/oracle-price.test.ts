import assert from 'node:assert/strict'
import { test } from 'vitest'
import { readOraclePrice } from '../../../src/chain/market/oracle-price.js'
import { serveChain } from '../../../src/demo-chain/node/server.js'
import type { Json } from '../../../src/engine/errors.js'
import { chainOf, grow } from '../../support/chain.js'
import { closing } from '../../support/closing.js'
import { CHAIN_ID, noPauses, openSource } from '../rpc/stage.js'

const chain = chainOf({ life: false, oracles: true })
grow(chain, 2)

const asset = (chain: string, symbol: string): Json => ({ chain, symbol, ticker: symbol })
const RUNE = asset('THOR', 'RUNE')

test('an oracle price is that of two assets of the base layer, and none where the node has no price of one', async () => {
  const node = closing(await serveChain(chain, { rpcPort: 0, restPort: 0 }))
  const source = closing(
    openSource({
      chainId: CHAIN_ID,
      rpc: [node.rpc],
      rest: [node.rest],
      deadlineMs: 5_000,
      limits: noPauses,
    }),
  )
  const priceOf = (base: Json, quote: Json) => readOraclePrice(source, [base, quote], chain.height)
  assert.equal(await priceOf(RUNE, RUNE), 10n ** 18n)
  assert.equal(await priceOf(asset('NONE', 'NONE'), RUNE), undefined)
})
