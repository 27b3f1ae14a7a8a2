import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { Any } from 'cosmjs-types/google/protobuf/any'
import { beforeAll, describe, test } from 'vitest'
import { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import {
  FAUCET,
  faucetAddress,
  moduleAccounts,
} from '../../../src/demo-chain/genesis/known-accounts.js'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { encodeBech32 } from '../../../src/demo-chain/modules/addresses.js'
import type { Contract } from '../../../src/demo-chain/modules/contract.js'
import { executeMessage, sendMessage, signedTx } from '../../../src/demo-chain/tx/sign.js'
import { sync } from '../../../src/history/indexer/sync.js'
import type { StoredSwap } from '../../../src/history/store/history-store.js'
import { pairOf, USDC } from '../../demo-chain/node/stage.js'
import { chainOf, document } from '../../support/chain.js'
import { everything, type Staged, stage } from './stage.js'

const ROUTER = document.router.address
const SENDER = faucetAddress('demo')
const { caller: CALLER } = moduleAccounts('demo')
const SPOOF = encodeBech32('demo', createHash('sha256').update('spoof').digest())

/** Emits events of a swap through the router and of a trade on a pair. */
const spoofContract: Contract = {
  execute: () => ({
    messages: [],
    events: [
      {
        type: 'rujira-fin/trade',
        attributes: [
          ['bid', '5'],
          ['offer', '5'],
        ],
      },
      ...['liquidy-swap/execute', 'liquidy-swap-execute'].map((type) => ({
        type,
        attributes: [
          ...([
            ['affiliate', 'acme'],
            ['affiliate_fee', '0'],
            ['denom', 'rune'],
          ] as const),
          ...([
            ['platform_fee', '0'],
            ['referral_fee', '0'],
          ] as const),
          ['volume', '1000000000000000'] as const,
        ],
      })),
      {
        type: 'liquidy-swap/swap',
        attributes: [
          ...([
            ['input_amount', '9'],
            ['input_denom', 'rune'],
            ['output_amount', '9'],
          ] as const),
          ...([
            ['output_denom', 'rune'],
            ['recipient', SENDER],
          ] as const),
        ],
      },
    ],
  }),
  query: () => '{}',
}

/** The chain without simulated traders, and with one more contract. */
function withSpoof(): EmbeddedChain {
  const plain = chainOf({ life: false })
  const { environment } = plain
  return new EmbeddedChain(
    plain.options,
    {
      ...environment,
      contractAt: (state, address) =>
        address === SPOOF ? spoofContract : environment.contractAt(state, address),
    },
    plain.store,
    plain.archive,
    plain.agentTransactions,
    plain.writeBlock,
  )
}

let chain: EmbeddedChain
let testStage: Staged
let swaps: readonly StoredSwap[]
let hashes: readonly string[]

/** The messages of a swap over pairs with dollars on one side. */
const swapOf = (
  stages: readonly (readonly [base: string, produced: string])[],
  more: object,
  min = 1n,
) =>
  JSON.stringify({
    swap: {
      stages: stages.map(([base, denom]) => ({ address: pairOf(chain, base), denom })),
      min_return: { denom: stages.at(-1)?.[1], amount: `${min}` },
      ...more,
    },
  })
const btc = [{ denom: 'btc-btc', amount: 1_000_000n }]
const sold = (message: string, funds = btc) => executeMessage(SENDER, ROUTER, message, funds)
const toUsdc = () => [['btc-btc', USDC]] as const
const toRune = () =>
  [
    ['btc-btc', USDC],
    ['rune', 'rune'],
  ] as const

function send(...messages: readonly Any[]): void {
  const account = accountOf(chain.store.at(chain.height), SENDER)!
  const waiting = BigInt(chain.pending().length)
  const { code, log } = chain.broadcast(
    signedTx({
      privateKey: Buffer.from(FAUCET.privateKey, 'hex'),
      chainId: chain.options.chainId,
      accountNumber: account.number,
      sequence: account.sequence + waiting,
      gas: 50_000_000n,
      messages,
    }),
  )
  assert.equal(code, 0, log)
}

beforeAll(async () => {
  chain = withSpoof()
  chain.makeBlock()
  const spoofed = () => executeMessage(SENDER, SPOOF, '{}')
  // Two legs of one transaction, with a message between them that is no swap.
  send(
    sold(swapOf(toUsdc(), { affiliate_code: 'acme' })),
    spoofed(),
    sendMessage(SENDER, SPOOF, [{ denom: 'rune', amount: 1n }]),
    sold(swapOf(toRune(), { recipient: CALLER, affiliate_code: 'nobody' })),
  )
  send(spoofed())
  send(sold(swapOf(toUsdc(), {}, 10n ** 18n)))
  const forward = {
    contract: ROUTER,
    msg: Buffer.from(swapOf(toUsdc(), { recipient: SENDER })).toString('base64'),
  }
  send(executeMessage(SENDER, CALLER, JSON.stringify({ forward }), btc))
  send(
    sold(
      swapOf(
        [
          ['btc-btc', USDC],
          ['btc-btc', 'btc-btc'],
        ],
        { input_coin: { denom: 'rune', amount: '7' } },
      ),
    ),
  )
  // Too small for any affiliate fee.
  send(
    sold(swapOf([['rune', USDC]], { affiliate_code: 'acme' }), [{ denom: 'rune', amount: 300n }]),
  )
  const { txs } = chain.makeBlock()
  hashes = txs.map(({ hash }) => hash)
  assert.deepEqual(
    txs.map(({ result }) => result.code !== 0),
    [false, false, true, false, false, false],
  )
})

test('the index of a block has its real swaps, and not what another contract emits or what failed', async () => {
  testStage = await stage(chain)
  const leadership = await testStage.store.lead()
  const { quarantined } = await sync({
    ...testStage,
    leadership,
    signal: new AbortController().signal,
    progress: () => {},
    failed: () => {},
  })
  await leadership.release()
  swaps = await everything(testStage.store)
  assert.equal(quarantined, 0)
  assert.deepEqual(
    swaps.map(({ txHash, msgIndex }) => [txHash, msgIndex]),
    [
      [hashes[5], 0],
      [hashes[4], 0],
      [hashes[3], 0],
      [hashes[0], 3],
      [hashes[0], 0],
    ],
  )
  const [little, loop, nested, second, first] = swaps
  for (const swap of swaps.slice(1)) {
    assert.equal(swap.sender, SENDER)
    assert.deepEqual(swap.input, btc[0])
    assert.equal(swap.hops.length, swap.path.length - 1)
    assert.ok(swap.volumeUsd !== undefined && swap.volumeUsd > 0n)
  }
  assert.deepEqual(first?.path, ['btc-btc', USDC])
  assert.equal(first?.affiliate?.code, 'acme')
  assert.ok((first?.fees.affiliate ?? 0n) > 0n && (first?.fees.referral ?? 0n) > 0n)
  assert.deepEqual(second?.path, ['btc-btc', USDC, 'rune'])
  assert.equal(second?.recipient, CALLER)
  assert.equal(second?.affiliate, undefined)
  assert.equal(nested?.recipient, SENDER)
  assert.deepEqual([loop?.type, first?.type], ['arbitrage', 'swap'])
  const paid = await testStage.store.page(
    { by: 'affiliate', affiliate: first?.affiliate?.address ?? '' },
    { page: 1, limit: 10 },
  )
  assert.deepEqual(
    paid.items.map(({ msgIndex }) => msgIndex),
    [0, 0],
  )
  assert.deepEqual(little?.affiliate, first?.affiliate)
  assert.equal(little?.fees.affiliate, 0n)
})

test('the index of a block whose state is pruned has the same rows, but for their prices', async () => {
  chain.makeBlock()
  const late = await stage(chain)
  late.node.fail({ kind: 'pruned', n: 1, method: 'abci_query' })
  const leadership = await late.store.lead()
  await sync({
    ...late,
    leadership,
    signal: new AbortController().signal,
    progress: () => {},
    failed: () => {},
  })
  await leadership.release()
  const withoutPrices = (rows: typeof swaps) => rows.map(({ volumeUsd: _, ...row }) => row)
  const rows = await everything(late.store)
  assert.ok(rows.every(({ volumeUsd }) => volumeUsd === undefined))
  assert.deepEqual(withoutPrices(rows), withoutPrices(swaps))
})

describe('a node that has a block before its results', () => {
  test('is queried again until all results are there', async () => {
    testStage = await stage(chain)
    // The first answers have fewer results than there are transactions.
    const { block } = testStage.chain
    let calls = 0
    const counted = {
      ...testStage.chain,
      block(height: number) {
        calls += 1
        return block(height)
      },
    }
    testStage.node.shorten(2)
    const leadership = await testStage.store.lead()
    const { swaps, complete } = await sync({
      ...testStage,
      chain: counted,
      leadership,
      signal: new AbortController().signal,
      progress: () => {},
      failed: () => {},
    })
    await leadership.release()
    assert.deepEqual([swaps, complete, calls], [5, true, chain.height - chain.earliest + 1])
  })
})
