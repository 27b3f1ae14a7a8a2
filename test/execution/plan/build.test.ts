import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { SwapError } from '../../../src/engine/errors.js'
import type { Market } from '../../../src/engine/market/market.js'
import type { Token } from '../../../src/engine/market/token.js'
import { decimal } from '../../../src/engine/math/decimal.js'
import {
  accountStateOf,
  build,
  requireSmallFee,
  type TxCalls,
} from '../../../src/execution/plan/build.js'
import type { AccountState, Chain } from '../../../src/execution/ports.js'
import { address, draft, publicKey } from '../external-signer.js'
import { rune, usdc, usualTerms } from '../stage.js'

const state = (height: number, sequence: bigint, accountNumber = 107n): AccountState => ({
  node: `node ${height}`,
  height,
  sequence,
  accountNumber,
  publicKey,
})

/** Builds a call on a chain whose simulation uses so much gas. */
const built = (
  gasUsed: bigint,
  limit?: bigint,
  own: Partial<Chain> = {},
  terms = usualTerms,
  work: Partial<TxCalls> = {},
) =>
  build(
    {
      chainId: draft.chainId,
      network: 'demo',
      feeDenom: rune,
      endpoints: ['node'],
      gasPrice: async () => decimal(0n),
      isGasPriceOfNode: false,
      accountStates: async () => [state(500, 12n), state(502, 13n)],
      balances: async () => [
        { denom: rune, amount: 5n },
        { denom: 'btc-btc', amount: 100n },
      ],
      balanceOfEach: async () => [120n, 100n].map((amount) => ({ node: 'node', amount })),
      trial: async () => ({ kind: 'passed', gasUsed, payments: [] }),
      ...own,
    } as unknown as Chain,
    { account: { name: null, address, publicKey, unlock: undefined }, terms },
    {
      market: {
        height: 500,
        gas: { limit },
        books: new Map(),
        tokens: new Map(),
      } as unknown as Market,
      action: 'swap',
      calls: draft.calls.map((call) => ({ ...call, message: JSON.parse(call.message) })),
      expected: draft.calls,
      gas: 100_000n,
      simulationFailed: (why) => assert.fail(why),
      ...work,
    },
  )

describe('a transaction', () => {
  test('has the sequence and the height of the node furthest ahead', async () => {
    const { decoded } = await built(100_000n)
    assert.deepEqual([decoded.sequence, decoded.timeoutHeight], [13n, 522n])
    assert.ok(!decoded.isAmino)
    const one = state(500, 12n)
    for (const other of [state(500, 13n), state(499, 12n, 108n)]) {
      const chain = { accountStates: async () => [one, other] } as unknown as Chain
      await assert.rejects(accountStateOf(chain, address), {
        code: 'UPSTREAM_INVALID_DATA',
        members: { upstream: other.node },
      })
    }
  })

  test('of an account that no node knows is refused', async () => {
    const error = {
      code: 'INSUFFICIENT_FUNDS',
      why: 'the chain does not know the account',
      members: { required: null, available: '0', denom: rune },
    }
    const hints = [
      [true, `take play money: swap demo faucet ${address}`],
      [false, 'fund the account'],
    ] as const
    for (const [isOwn, hint] of hints)
      await assert.rejects(built(100_000n, undefined, { isOwn, accountStates: async () => [] }), {
        ...error,
        hint,
      })
  })

  const rows = [
    [49_999n, undefined, 'UPSTREAM_INVALID_DATA'],
    [50_000n, undefined, 70_000n],
    [100_001n, undefined, 140_002n],
    [200_000_000n, undefined, 280_000_000n],
    [200_000_001n, undefined, 'UPSTREAM_INVALID_DATA'],
    [100_000n, 150_000n, 140_000n],
    [100_000n, 105_000n, 105_000n],
    [100_001n, 105_001n, 105_001n],
    [100_000n, 104_999n, 'TX_FAILED'],
  ] as const
  for (const [used, limit, expected] of rows)
    test(`that uses ${used} gas under a limit of ${limit}: ${expected}`, async () => {
      const transaction = built(used, limit)
      if (typeof expected === 'string') await assert.rejects(transaction, { code: expected })
      else assert.equal((await transaction).decoded.gasLimit, expected)
    })

  test('whose gas is not plausible names the node that reports it', async () => {
    for (const [endpoints, upstream] of [
      [['node', 'other'], 'node, other'],
      [[], ''],
    ] as const)
      await assert.rejects(built(1n, undefined, { endpoints }), {
        why: 'it reports 1 for this transaction; 50000 to 200000000 are accepted',
        hint: 'name another node (--rpc), or set the gas: --gas',
        members: { upstream },
      })
  })

  test('that fails in its simulation has the error of its calls', async () => {
    const trial = async () => ({ kind: 'failed', why: 'out of funds' }) as const
    const simulationFailed = (why: string) => new SwapError('TX_FAILED', why)
    await assert.rejects(built(0n, undefined, { trial }, usualTerms, { simulationFailed }), {
      code: 'TX_FAILED',
      message: 'out of funds',
    })
  })

  test('at the gas price of a node needs a person where its fee has no price, unless the fee is given', async () => {
    const ofNode = { isGasPriceOfNode: true, gasPrice: async () => decimal(1n) }
    await assert.rejects(built(100_000n, undefined, ofNode), {
      code: 'CONFIRMATION_REQUIRED',
      why: /which has no price$/,
    })
    for (const own of [{ isGasPriceOfNode: false }, { gasPrice: async () => decimal(0n) }])
      await built(100_000n, undefined, { ...ofNode, ...own })
    await built(100_000n, undefined, ofNode, { ...usualTerms, unattended: false })
    const fees = [{ denom: rune, amount: 5n }]
    const { decoded } = await built(100_000n, undefined, ofNode, { ...usualTerms, fees })
    assert.deepEqual(decoded.fee, fees)
  })

  test('at a configured gas price needs a person where its gas is more than ten times the estimate and its fee has no price', async () => {
    const own = {
      gasPrice: async () => decimal(10n ** 12n),
      balances: async () => [{ denom: rune, amount: 10n ** 9n }, ...draft.calls[0]!.funds],
    }
    assert.equal((await built(1_000_000n, undefined, own)).decoded.gasLimit, 1_400_000n)
    await assert.rejects(built(1_000_001n, undefined, own), {
      code: 'CONFIRMATION_REQUIRED',
      why: /; the node reports 1000001 gas, the estimate is 100000$/,
    })
    for (const stated of [{ unattended: false }, { fees: [{ denom: rune, amount: 5n }] }])
      await built(1_000_001n, undefined, own, { ...usualTerms, ...stated })
  })

  const fees = [
    [500_000_000n, undefined],
    [500_000_001n, 'CONFIRMATION_REQUIRED'],
  ] as const
  for (const [amount, code] of fees)
    test(`with a fee of ${amount} hundred-millionths of a dollar by a node: ${code ?? 'built'}`, async () => {
      const tokens = new Map([[rune, { decimals: 8, symbol: 'RUNE', chain: 'THOR' } as Token]])
      const market = {
        usd: rune,
        height: 500,
        gas: {},
        books: new Map(),
        tokens,
      } as unknown as Market
      const ofNode = {
        isGasPriceOfNode: true,
        gasPrice: async () => decimal(amount * 10n ** 13n),
        balances: async () => [{ denom: rune, amount: 10n ** 9n }, ...draft.calls[0]!.funds],
      }
      const terms = { ...usualTerms, gas: 100_000n }
      const transaction = built(0n, undefined, ofNode, terms, { market })
      if (code === undefined) assert.equal((await transaction).decoded.fee[0]?.amount, amount)
      else await assert.rejects(transaction, { code })
    })

  test('is not simulated where the account does not hold what it sends', async () => {
    const poor = {
      balances: async () => [],
      trial: async () => assert.fail('it was simulated'),
    }
    for (const action of ['swap', 'order'] as const)
      await assert.rejects(built(100_000n, undefined, poor, usualTerms, { action }), {
        code: 'INSUFFICIENT_FUNDS',
        message: `the account does not hold enough for this ${action}`,
        why: /are needed$/,
        members: { required: '100', available: '0', denom: 'btc-btc' },
      })
  })

  test('says of a fee in an unknown denom how a fee is written', async () => {
    const terms = { ...usualTerms, fees: [{ denom: 'RUNE', amount: 3n }] }
    await assert.rejects(built(100_000n, undefined, {}, terms), {
      code: 'INSUFFICIENT_FUNDS',
      hint: /no token here has this denom; a fee is in one that the account holds/,
    })
  })

  test('names the fees where the account does not hold enough', async () => {
    const fees = [{ denom: rune, amount: 10n ** 12n }]
    await assert.rejects(built(100_000n, undefined, {}, { ...usualTerms, fees }), {
      code: 'INSUFFICIENT_FUNDS',
      why: /and (.*) are needed, \1 of it for fees$/,
    })
  })

  test('leaves the fees of later ones, but for those that pay them by themselves', async () => {
    const terms = { ...usualTerms, fees: [{ denom: rune, amount: 3n }] }
    const followedBy = (output: string) =>
      built(100_000n, undefined, {}, terms, {
        later: [{ funds: { denom: rune, amount: 1n }, output }],
      })
    await followedBy(rune)
    await assert.rejects(followedBy(usdc), { code: 'INSUFFICIENT_FUNDS' })
  })

  test('of a share of a balance is refused where less of it is left by one of the nodes', async () => {
    const share = (amount: bigint) => ({ ...usualTerms, shareOf: { denom: 'btc-btc', amount } })
    await built(100_000n, undefined, {}, share(100n))
    await assert.rejects(built(100_000n, undefined, {}, share(101n)), {
      code: 'QUOTE_EXPIRED',
      why: /^it was .+, and is .+ by node$/,
    })
  })

  test('needs what later ones sell', async () => {
    const later = [{ funds: { denom: 'btc-btc', amount: 100n }, output: rune }]
    await assert.rejects(built(100_000n, undefined, {}, usualTerms, { later }), {
      code: 'INSUFFICIENT_FUNDS',
    })
  })

  test('that differs from its plan is not signed', async () => {
    const expected = draft.calls.map((call) => ({ ...call, contract: address }))
    const differing = built(100_000n, undefined, {}, usualTerms, { expected })
    await assert.rejects(differing, { code: 'INTERNAL', why: /^the contract of message 1 is / })
  })

  test('has the key of the account, whatever key a node names', async () => {
    const named = { ...state(502, 13n), publicKey: publicKey.map((byte) => byte ^ 1) }
    const { decoded } = await built(100_000n, undefined, { accountStates: async () => [named] })
    assert.deepEqual([...decoded.publicKey], [...publicKey])
  })

  test('with a fee in two tokens is not free where one of them is zero', async () => {
    const market = { books: new Map(), tokens: new Map() } as unknown as Market
    const fee = (amount: bigint) => [
      { denom: rune, amount: 0n },
      { denom: usdc, amount },
    ]
    await requireSmallFee(market, fee(0n))
    await assert.rejects(requireSmallFee(market, fee(1n)), { code: 'CONFIRMATION_REQUIRED' })
  })

  test('has a memo of at most 256 bytes', async () => {
    const long = `${'é'.repeat(128)}x`
    await built(100_000n, undefined, {}, { ...usualTerms, memo: 'é'.repeat(128) })
    await assert.rejects(built(100_000n, undefined, {}, { ...usualTerms, memo: long }), {
      code: 'INVALID_REQUEST',
      why: 'it has 257 bytes, and chains take at most 256',
      members: {
        errors: [{ pointer: '/memo', detail: 'it has 257 bytes, and chains take at most 256' }],
      },
    })
  })
})
