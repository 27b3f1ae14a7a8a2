import assert from 'node:assert/strict'
import { test } from 'vitest'
import { callerContract } from '../../../src/demo-chain/contracts/codes.js'
import { codes } from '../../../src/demo-chain/modules/dispatch.js'
import { execute, holdings, smartQuery, type World } from '../../support/contract-world.js'
import { marketWorld } from '../../support/contracts.js'
import { smallMarket } from '../../support/small-market.js'

test('the ids of the codes of the demo chain follow their order', () => {
  assert.deepEqual(
    codes.map(({ id, name }) => [id, name]),
    [
      [1, 'fin-1.0'],
      [2, 'fin-1.1'],
      [3, 'bow-1.0'],
      [4, 'bow'],
      [5, 'router-forward'],
      [6, 'router-stack'],
      [7, 'caller'],
      [8, 'router-forward-published'],
      [9, 'router-stack-published'],
    ],
  )
})

const market = marketWorld(
  smallMarket({ 'a/b': { quote: [{ price: '2', total: '1000000' }] } }, { dialect: 'forward' }),
)
const world: World = {
  ...market,
  machine: {
    ...market.machine,
    contractAt: (state, address) =>
      address === 'caller' ? callerContract : market.machine.contractAt(state, address),
  },
}
const funds = [{ denom: 'a', amount: 1000n }]
const forwarded = (more: object) => ({
  forward: {
    contract: 'router',
    msg: Buffer.from(
      JSON.stringify({
        swap: {
          stages: [{ address: 'a/b', denom: 'b' }],
          min_return: { denom: 'b', amount: '1' },
          ...more,
        },
      }),
    ).toString('base64'),
  },
})

test('a contract that calls the router is the sender and is paid', () => {
  const { state } = execute(world, world.start, 'caller', forwarded({}), funds)
  assert.deepEqual(holdings(state, 'caller'), { b: '2000' })
  assert.deepEqual(holdings(state, 'sender'), {})
})

test('a recipient in the message is paid in place of the calling contract', () => {
  const { state, events } = execute(
    world,
    world.start,
    'caller',
    forwarded({ recipient: 'sender' }),
    funds,
  )
  assert.deepEqual(holdings(state, 'sender'), { b: '2000' })
  const contracts = events
    .filter(({ type }) => type === 'execute')
    .map(({ attributes }) => attributes[0]?.value)
  assert.deepEqual(contracts, ['caller', 'router', 'a/b', 'a/b', 'a/b', 'router'])
})

test('a callback reaches a contract with the coins', () => {
  const callback = Buffer.from('{}').toString('base64')
  const { state, events } = execute(world, world.start, 'caller', forwarded({ callback }), funds)
  assert.deepEqual(holdings(state, 'caller'), { b: '2000' })
  assert.equal(events.at(-1)?.type, 'execute')
})

test('the calling contract refuses every other message', () => {
  assert.throws(
    () => execute(world, world.start, 'caller', { swap: {} }, []),
    /unknown variant `swap`, expected `forward` or `callback`/,
  )
  assert.deepEqual(smartQuery(world, 'caller', { config: {} }), {})
})
