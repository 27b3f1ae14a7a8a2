import assert from 'node:assert/strict'
import { describe, test } from 'vitest'
import { requireAgreement } from '../../../src/execution/plan/agreement.js'
import type { Chain } from '../../../src/execution/ports.js'
import type { Step } from '../../../src/execution/session.js'
import { marketOf } from '../../support/small-market.js'

/** A book that pays 1,000 for 1,000, less a router fee of 1; without its makers the amount is an estimate. */
const marketWith = (makers: object) => {
  const pools = { base: [], quote: [{ price: '1', total: '100000' }] }
  const pair = {
    address: 'a/usd',
    base: 'a',
    quote: 'usd',
    tick: 6,
    status: 'open',
    pools,
    ...makers,
    fee_taker: '0',
    fee_maker: '0',
    fin_version: '1.1.0',
  }
  return marketOf([pair], ['a', 'usd'])
}
const exact = marketWith({ makers: [] })
const estimated = marketWith({})

describe('nodes', () => {
  const rows = [
    // configured, answering, amount, market, unattended, expected
    [1, 0, undefined, exact, true, undefined],
    [2, 2, 999n, exact, true, undefined],
    [2, 2, undefined, exact, true, undefined],
    [2, 2, 998n, exact, true, 'UPSTREAM_INVALID_DATA'],
    [2, 2, 994n, estimated, true, undefined],
    [2, 2, 993n, estimated, true, 'UPSTREAM_INVALID_DATA'],
    [2, 1, 999n, exact, true, 'UPSTREAM_ERROR'],
    [2, 1, 998n, exact, false, 'uncompared'],
    [3, 2, 999n, exact, true, undefined],
  ] as const
  for (const [configured, nodes, amount, market, unattended, expected] of rows)
    test(`of which ${nodes} of ${configured} give ${amount} for ${market === exact ? '999' : 'about 999'}, ${unattended ? 'without' : 'with'} a person: ${expected}`, async () => {
      const steps: Step[] = []
      const chain = {
        endpoints: Array.from({ length: configured }, (_, i) => `node ${i}`),
        isListed: () => true,
        compare: async () => ({
          nodes,
          silent: ['node 1 is down'],
          differences: [],
          returned: [amount],
          tokens: [],
        }),
      } as unknown as Chain
      const questions = [
        {
          contract: 'router',
          funds: { denom: 'a', amount: 1_000n },
          output: 'usd',
          stages: [{ address: 'a/usd', denom: 'a' }],
        },
      ]
      const compared = { what: 'swap', market, questions, denoms: [], toleranceBps: 51 } as const
      const session = { chain, progress: (step: Step) => void steps.push(step) }
      const agreement = requireAgreement(session, compared, { unattended })
      if (expected?.startsWith('UPSTREAM'))
        return assert.rejects(agreement, {
          code: expected,
          ...(expected === 'UPSTREAM_ERROR' && {
            why: 'node 1 is down; 2 are configured, and without a confirmation two have to agree',
          }),
          members: { upstream: expected === 'UPSTREAM_ERROR' ? null : 'node 0, node 1' },
        })
      await agreement
      assert.deepEqual(
        steps,
        expected === undefined ? [] : [{ stage: 'uncompared', of: configured }],
      )
    })

  test('that give different amounts are named, and nothing is signed', async () => {
    const chain = {
      endpoints: ['node 0', 'node 1'],
      isListed: () => false,
      compare: async () => ({ nodes: 2, differences: ['999 and 998'], returned: [undefined] }),
    } as unknown as Chain
    const compared = {
      what: 'swap',
      market: exact,
      questions: [],
      denoms: ['a'],
      toleranceBps: 51,
    } as const
    const agreement = requireAgreement({ chain, progress() {} }, compared, { unattended: false })
    await assert.rejects(agreement, { code: 'UPSTREAM_INVALID_DATA', why: /999 and 998/ })
  })

  test('are asked about the tokens that the network does not list, and about the dollar of the limits', async () => {
    const asked = async (listed: readonly string[], usd?: string, denoms = ['a', 'b']) => {
      let found: readonly string[] | undefined
      const chain = {
        endpoints: ['node 0', 'node 1'],
        isListed: (denom: string) => listed.includes(denom),
        compare: async (_: number, __: unknown, compared: readonly string[]) => {
          found = compared
          return { nodes: 2, silent: [], differences: [], returned: [], tokens: [] }
        },
      } as unknown as Chain
      const market = { ...exact, usd }
      const compared = {
        what: 'swap',
        market,
        questions: [],
        denoms,
        toleranceBps: 51,
      } as const
      await requireAgreement({ chain, progress() {} }, compared, { unattended: true })
      return found
    }
    assert.deepEqual(await asked([], 'usd'), ['a', 'b', 'usd'])
    assert.deepEqual(await asked(['a']), ['b'])
    assert.equal(await asked(['a', 'b', 'usd'], 'usd'), undefined)
    assert.equal(await asked([], 'usd', []), undefined)
  })
})
