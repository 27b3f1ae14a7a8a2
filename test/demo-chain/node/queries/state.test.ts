import assert from 'node:assert/strict'
import { PageRequest } from 'cosmjs-types/cosmos/base/query/v1beta1/pagination'
import {
  QueryAllContractStateRequest,
  QueryAllContractStateResponse,
  QueryContractsByCodeRequest,
  QueryContractsByCodeResponse,
} from 'cosmjs-types/cosmwasm/wasm/v1/query'
import { describe, test } from 'vitest'
import { addressBytes } from '../../../../src/demo-chain/modules/addresses.js'
import { codeIdOf, contractInfo, contracts } from '../../../../src/demo-chain/modules/dispatch.js'
import { queries } from '../../../../src/demo-chain/node/queries/all-queries.js'
import { nodeOf } from '../../../../src/demo-chain/node/queries/node.js'
import { answerAbci } from '../../../../src/demo-chain/node/queries/query.js'
import { chainOf, grow } from '../../../support/chain.js'

describe('gRPC queries of the demo node', () => {
  const chain = chainOf({ keep: 10 })
  grow(chain, 12)
  const node = nodeOf(chain)
  const ask = (path: string, data: Uint8Array, height = 0n) =>
    answerAbci(node, queries, { path, data, height })

  const state = chain.store.at(chain.height)
  const pairs = contracts(state).filter(
    (contract) => contractInfo(state, contract)?.code === 'fin-1.1',
  )

  test('list a pair’s pools from their namespace on, both sides of which are its whole book', () => {
    const [pair = ''] = pairs
    const walk = (namespace: string): readonly { key: string; value: string }[] => {
      const prefix = Buffer.concat([Buffer.from([0, namespace.length]), Buffer.from(namespace)])
      const found: { key: string; value: string }[] = []
      let key: Uint8Array = prefix
      while (key.length > 0) {
        const request = QueryAllContractStateRequest.fromPartial({
          address: pair,
          pagination: { key, limit: 7n },
        })
        const { code, value } = ask(
          '/cosmwasm.wasm.v1.Query/AllContractState',
          QueryAllContractStateRequest.encode(request).finish(),
        )
        assert.equal(code, 0)
        const { models, pagination } = QueryAllContractStateResponse.decode(
          value ?? new Uint8Array(),
        )
        for (const model of models) {
          if (!Buffer.from(model.key).subarray(0, prefix.length).equals(prefix)) return found
          found.push({
            key: Buffer.from(model.key).subarray(prefix.length).toString('hex'),
            value: Buffer.from(model.value).toString(),
          })
        }
        key = pagination?.nextKey ?? new Uint8Array()
      }
      return found
    }
    const listed = walk('pools')
    const held = new Map(walk('bid-pools').map(({ key, value }) => [key, value]))
    assert.ok(listed.length > 5)
    for (const { key, value } of listed) {
      assert.equal(value, 'null')
      assert.match(
        held.get(key) ?? '',
        /^\{"total":"\d+","sum":\["\d+",\d+\],"product":\["\d+",\d+\],"epoch":\d+\}$/,
      )
    }
  })

  test('list contracts of a code by creation, within one transaction by their bytes', () => {
    const codeId = BigInt(codeIdOf(contractInfo(state, pairs[0] ?? '')?.code ?? 'caller'))
    const found: string[] = []
    let key: Uint8Array = new Uint8Array()
    do {
      const request = QueryContractsByCodeRequest.fromPartial({
        codeId,
        pagination: PageRequest.fromPartial({ key, limit: 3n }),
      })
      const { value } = ask(
        '/cosmwasm.wasm.v1.Query/ContractsByCode',
        QueryContractsByCodeRequest.encode(request).finish(),
      )
      const page = QueryContractsByCodeResponse.decode(value ?? new Uint8Array())
      found.push(...page.contracts)
      key = page.pagination?.nextKey ?? new Uint8Array()
      if (key.length > 0) assert.equal(key.length, 48)
    } while (key.length > 0)
    const place = (address: string) => {
      const record = contractInfo(state, address)
      return [
        record?.height ?? 0,
        record?.txIndex ?? 0,
        Buffer.from(addressBytes(address)).toString('hex'),
      ] as const
    }
    const sorted = [...pairs].sort((left, right) => {
      const [a, b] = [place(left), place(right)]
      return a[0] - b[0] || a[1] - b[1] || (a[2] < b[2] ? -1 : 1)
    })
    assert.deepEqual(found, sorted)
  })

  test('refuse heights with the text of the node, before any query is read', () => {
    const path = '/cosmos.bank.v1beta1.Query/TotalSupply'
    const resultAt = (height: bigint) => {
      const { code, codespace, height: read, log } = ask(path, new Uint8Array(), height)
      return [code, codespace, read, log.split(';')[0]]
    }
    assert.deepEqual(resultAt(-1n), [18, 'sdk', 0, 'cannot query with height < 0'])
    assert.deepEqual(resultAt(BigInt(chain.height + 1)), [
      26,
      'sdk',
      0,
      'cannot query with height in the future',
    ])
    assert.deepEqual(resultAt(5n), [38, 'sdk', 0, 'failed to load state at height 5'])
    assert.deepEqual(resultAt(BigInt(chain.earliest)), [0, '', chain.earliest, ''])
    assert.deepEqual(resultAt(0n), [0, '', chain.height, ''])
  })

  test('answer at an old height as when it was the newest', () => {
    const path = '/cosmos.bank.v1beta1.Query/TotalSupply'
    const before = ask(path, new Uint8Array())
    chain.makeBlock()
    assert.deepEqual(ask(path, new Uint8Array(), BigInt(before.height)), before)
  })
})
