import assert from 'node:assert/strict'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { test } from 'vitest'
import { randomBoolean } from '../../src/demo-chain/agents/context.js'
import type { EmbeddedChain } from '../../src/demo-chain/blocks/embedded-chain.js'
import { type Agent, agentsOf } from '../../src/demo-chain/genesis/known-accounts.js'
import {
  drawBetween,
  drawOne,
  type Random,
  seededRandom,
} from '../../src/demo-chain/market/random.js'
import { accountOf } from '../../src/demo-chain/modules/accounts.js'
import { balanceOf } from '../../src/demo-chain/modules/bank.js'
import { feeCollector } from '../../src/demo-chain/tx/coins.js'
import { executeMessage, sendMessage, signedTx } from '../../src/demo-chain/tx/sign.js'
import { chainOf, document, majorPairs, supplies, totals } from '../support/chain.js'

const SEED = 7
const SENT = process.env['SWAP_LONG'] ? 2_000 : 120
const accounts = Object.values(agentsOf('demo', 1)).flat()
const pairs = majorPairs.pairs.filter(
  (pair) => pair.status === 'open' && pair.fee_taker === '0.0015',
)
const makers = pairs.flatMap((pair) => pair.makers)

/** Any message that the chain accepts, and some that it refuses. */
function anyMessage(chain: EmbeddedChain, random: Random, account: Agent): Any {
  const state = chain.store.at(chain.height)
  const pair = drawOne(random, pairs) ?? pairs[0]
  const maker = drawOne(random, makers)
  if (!pair || !maker) throw new Error('no market')
  const atomics = () => drawBetween(random, [1n, 4_000_000_000n]) * drawBetween(random, [1n, 30n])
  const offered = randomBoolean(random, 500n) ? pair.base : pair.quote
  const received = offered === pair.base ? pair.quote : pair.base
  const coin = { denom: offered, amount: atomics() }
  const other = drawOne(random, accounts)?.address ?? account.address
  const [{ x, y }] = maker.strategy.xyk
  const share = `x/bow-xyk-${x}-${y}`
  const held = balanceOf(state, account.address, share)
  const call = (contract: string, message: object, funds = [coin]): Any =>
    executeMessage(
      account.address,
      contract,
      JSON.stringify(message),
      funds.filter((each) => each.amount > 0n).sort((a, b) => (a.denom < b.denom ? -1 : 1)),
    )
  const order = [offered === pair.base ? 'base' : 'quote', { fixed: '1.25' }, `${coin.amount}`]
  const router = (minimum: bigint, more: object = {}) => ({
    swap: {
      min_return: { denom: received, amount: `${minimum}` },
      stages: [{ address: pair.address, denom: received }],
      ...more,
    },
  })
  const messages: readonly (() => Any)[] = [
    () => sendMessage(account.address, other, [coin]),
    () => call(pair.address, { swap: {} }),
    () => call(pair.address, { swap: { to: other } }),
    () => call(pair.address, { arb: {} }, []),
    () => call(pair.address, { order: [[order], null] }),
    () => call(pair.address, { order: [[[order[0], order[1], '0']], null] }, []),
    () => call(document.router.address, router(1n)),
    () => call(document.router.address, router(10n ** 30n)),
    () => call(document.router.address, router(1n, { affiliate_code: 'acme', recipient: other })),
    () =>
      call(document.router.address, { swap: { ...router(0n).swap, stages: [], recipient: other } }),
    () =>
      call(
        maker.address,
        { deposit: {} },
        [x, y].map((denom) => ({ denom, amount: atomics() })),
      ),
    () => call(maker.address, { withdraw: {} }, [{ denom: share, amount: held / 2n }]),
    () => call(maker.address, { swap: { min_return: { denom: received, amount: '5' } } }),
  ]
  return (drawOne(random, messages) ?? (messages[0] as () => Any))()
}

test(`${SENT} transactions of any kind move coins and never create or destroy one`, () => {
  const chain = chainOf({ life: false, gasPrice: 2n }, majorPairs)
  const first = supplies(chain.store.at(chain.height))
  const random = seededRandom(`conservation ${SEED}`)
  const codes = new Map<number, number>()
  for (let sent = 0; sent < SENT; ) {
    const state = chain.store.at(chain.height)
    const before = new Map<string, bigint>()
    for (const sender of accounts) {
      const account = accountOf(state, sender.address)
      if (!account || !randomBoolean(random, 600n)) continue
      before.set(sender.address, account.sequence)
      const messages = Array.from({ length: Number(drawBetween(random, [1n, 3n])) }, () =>
        anyMessage(chain, random, sender),
      )
      const checked = chain.broadcast(
        signedTx({
          privateKey: sender.privateKey,
          chainId: 'demo-1',
          accountNumber: account.number,
          sequence: account.sequence,
          fee: [{ denom: 'rune', amount: 2n }],
          gas: 60_000_000n,
          messages,
        }),
      )
      // A zero coin or a malformed amount never reaches a block.
      if (checked.code !== 0) {
        assert.ok(checked.codespace !== '' && checked.log !== '')
        before.delete(sender.address)
      }
    }
    const block = chain.makeBlock()
    assert.equal(block.txs.length, before.size)
    for (const { result } of block.txs) {
      assert.notEqual(result.code, 111222, result.log)
      codes.set(result.code, (codes.get(result.code) ?? 0) + 1)
    }
    assert.deepEqual(totals(chain), first, `seed ${SEED}, height ${chain.height}`)
    // Failed or not, each has paid its fee and incremented its sequence.
    const after = chain.store.at(chain.height)
    for (const [address, sequence] of before)
      assert.equal(accountOf(after, address)?.sequence, sequence + 1n)
    sent += block.txs.length
    assert.equal(balanceOf(after, feeCollector('demo'), 'rune'), 2n * BigInt(sent))
  }
  assert.ok(
    (codes.get(0) ?? 0) > SENT / 5 && (codes.get(5) ?? 0) > SENT / 10,
    JSON.stringify([...codes]),
  )
})
