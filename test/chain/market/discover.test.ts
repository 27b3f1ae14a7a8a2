import assert from 'node:assert/strict'
import { QueryContractsByCodeResponse } from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { describe, test } from 'vitest'
import { discoverPairs } from '../../../src/chain/market/discover.js'
import { demo } from '../../../src/chain/networks/demo.js'
import type { Discovery } from '../../../src/chain/networks/network.js'
import { queryBatch } from '../../../src/chain/queries/query-batch.js'
import { InvalidChain, NodeFault } from '../../../src/chain/rpc/faults.js'
import type { Source } from '../../../src/chain/rpc/query-source.js'
import { contractInfo, contracts } from '../../../src/demo-chain/modules/dispatch.js'
import { chainOf } from '../../support/chain.js'
import { type BlockInjection, directSource } from './direct.js'

const chain = chainOf()
const state = chain.store.at(chain.height)
const labelled = contracts(state).filter((address) =>
  contractInfo(state, address)?.label.startsWith('rujira-fin:'),
)

async function discovered(discovery: Discovery, blockInjection: BlockInjection = {}) {
  const source = directSource(chain, blockInjection)
  const ask = queryBatch(source, 'demo', chain.height, { queries: 0, batches: 0, bytes: 0 })
  return discoverPairs({ ...demo, discovery }, source, ask, chain.height)
}

const codes = { ids: [1n, 2n], label: 'rujira-fin:' }

describe('the discovery of pairs', () => {
  test('finds them by their codes and labels, page by page', async () => {
    const found = await discovered({ codes })
    assert.equal(found.length, 58)
    assert.deepEqual(found.toSorted(), labelled.toSorted())
  })

  test('does not take other contracts of the same codes for pairs', async () => {
    const every = { ids: [1n, 2n, 3n, 4n, 5n, 6n, 7n], label: 'rujira-fin:' }
    assert.deepEqual((await discovered({ codes: every })).toSorted(), labelled.toSorted())
  })

  test('finds them by the name of their contract over REST, at the height that is read', async () => {
    const queries: unknown[] = []
    const rest: BlockInjection['rest'] = (path, height) => {
      queries.push(path, height)
      return {
        infos: [...labelled, labelled[0]].map((address) => ({
          address,
          contract: 'rujira-fin',
          version: '1.1.0',
        })),
      }
    }
    const found = await discovered({ name: 'rujira-fin', codes }, { rest })
    assert.deepEqual(found, labelled)
    assert.deepEqual(queries, ['/thorchain/contracts?contract=rujira-fin', chain.height])
  })

  test('falls back to codes where REST is unreachable, refuses or returns malformed data', async () => {
    const rests: readonly NonNullable<BlockInjection['rest']>[] = [
      () => {
        throw new NodeFault('unreachable', 'rest', 'cannot be reached')
      },
      () => ({ code: 12, message: 'Not Implemented' }),
      () => ({ infos: [] }),
      () => ({ infos: [{ address: 'thor1foreign' }] }),
      () => 'nonsense',
    ]
    for (const rest of rests) {
      const found = await discovered({ name: 'rujira-fin', codes }, { rest })
      assert.equal(found.length, 58)
    }
  })

  test('refuses a list of contracts without end', async () => {
    const contracts = Array.from({ length: 200_000 }, () => '')
    const value = QueryContractsByCodeResponse.encode({ contracts }).finish()
    const queries: Source['queries'] = async (asked) => asked.map(() => ({ ok: true, value }))
    const ask = queryBatch({ ...directSource(chain), queries }, 'demo', chain.height)
    await assert.rejects(
      discoverPairs({ ...demo, discovery: { codes } }, directSource(chain), ask, chain.height),
      (error) => error instanceof InvalidChain && /more than 10000/.test(error.why ?? ''),
    )
  })

  test('takes them from the list of the configuration', async () => {
    const pairs = labelled.slice(0, 3)
    assert.deepEqual(await discovered({ pairs }), pairs)
    assert.deepEqual(await discovered({ codes: { ids: [999n], label: 'x' }, pairs }), pairs)
  })

  test('fails with a hint where no method is configured', async () => {
    for (const discovery of [{}, { codes: { ids: [999n], label: 'x' } }])
      await assert.rejects(
        discovered(discovery),
        (error) => error instanceof InvalidChain && /networks\.demo\.pairs/.test(error.hint ?? ''),
      )
  })

  test('fails with the name of the setting code_ids for a network without it', async () => {
    for (const discovery of [{}, { name: 'rujira-fin' }])
      await assert.rejects(
        discovered(discovery),
        (error) =>
          error instanceof InvalidChain &&
          /name the codes that they run in networks\.demo\.code_ids/.test(error.hint ?? ''),
      )
  })
})
