import assert from 'node:assert/strict'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { marketSnapshotOf } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { decodeSnapshot } from '../../../src/engine/snapshot/decode.js'
import { openOnce } from '../../../src/operations/context.js'
import { sroute } from '../../../src/operations/split/split.js'
import { chainOf, document, grow } from '../../support/chain.js'
import { type SigningClient, signingClient } from '../../support/signing-client.js'

const sender = faucetAddress('demo')
const chain = chainOf({ life: false })
const { usd } = document

let signing: SigningClient
let client: SigningClient['client']

beforeAll(async () => {
  grow(chain, 2)
  // Large amounts cross more levels than a default node reads in one query.
  signing = await signingClient(chain, { queryGas: 1_000_000_000n })
  client = signing.client
})
afterAll(() => signing.close())

type Event = {
  readonly type: string
  readonly attributes: readonly { readonly key: string; readonly value: string }[]
}

/** The payout of each message of a transaction, in order. */
const paid = (events: readonly Event[]): readonly string[] =>
  events
    .filter(({ type }) => type === 'wasm-liquidy-swap/swap')
    .map(({ attributes }) => attributes.find(({ key }) => key === 'output_amount')?.value ?? '')

describe('a quoted split that is signed by cosmjs and executed pays what was quoted', () => {
  for (const [amount, denom, output, more] of [
    ['40000000000000', usd, 'rune', { max_legs: 3 }],
    ['150000000', 'btc-btc', 'rune', {}],
    ['900000000', 'btc-btc', 'rune', { affiliate: 'acme' }],
    ['10000000000000', 'rune', 'eth-eth', { grid: false, max_legs: 6 }],
    ['2500000000000', usd, 'tcy', { max_hops: 3 }],
  ] as const)
    test(`for ${amount} ${denom.slice(0, 8)} to ${output} ${JSON.stringify(more)}`, async () => {
      const market = decodeSnapshot(marketSnapshotOf(chain), 'the chain')
      const { routes } = await sroute(
        openOnce(async () => market),
        { input: { denom, amount }, output: { denom: output }, ...more },
      )
      const legs = routes[0]?.legs ?? []
      assert.ok(legs.length > 0)
      for (const { tx, funds, simulated_output, expected_output, fees } of legs) {
        const { stages } = tx.swap
        const simulation = await client.queryContractSmart(document.router.address, {
          simulate: { coin: funds, stages },
        })
        assert.equal(simulated_output, simulation.returned)
        assert.ok(BigInt(expected_output) > 0n && fees.protocol)
      }
      const done = await client.executeMultiple(
        sender,
        legs.map(({ tx, funds }) => ({
          contractAddress: document.router.address,
          msg: tx,
          funds: [{ denom: funds.denom, amount: funds.amount }],
        })),
        { amount: [], gas: '400000000' },
      )
      assert.deepEqual(
        paid(done.events),
        legs.map((leg) => leg.expected_output),
      )
    })
})
