import assert from 'node:assert/strict'
import {
  QueryAccountInfoRequest,
  QueryAccountInfoResponse,
} from 'cosmjs-types/cosmos/auth/v1beta1/query'
import { Any } from 'cosmjs-types/google/protobuf/any'
import { describe, test } from 'vitest'
import type { BlockTx } from '../../../src/demo-chain/blocks/chain.js'
import { agentsOf } from '../../../src/demo-chain/genesis/known-accounts.js'
import { marketNotes } from '../../../src/demo-chain/genesis/market-snapshot.js'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { addressOfKey } from '../../../src/demo-chain/modules/addresses.js'
import {
  codeIdOf,
  contractsByCode,
  queryContract,
} from '../../../src/demo-chain/modules/dispatch.js'
import { Gas, NO_LIMIT } from '../../../src/demo-chain/modules/gas.js'
import { payFromFaucet } from '../../../src/demo-chain/process/faucet.js'
import { decodeTx, signerOf } from '../../../src/demo-chain/tx/decode.js'
import {
  executeMessage,
  publicKeyOf,
  sendMessage,
  signedTx,
} from '../../../src/demo-chain/tx/sign.js'
import { bodyOf, type Stage, stage } from './stage.js'

const privateKey = new Uint8Array(32).fill(9)
const user = addressOfKey('demo', publicKeyOf(privateKey))
const RUNE = 100_000_000n

/** A chain on which the user has some coins. */
function funded(hasAgents = false): Stage {
  const at = stage({ hasAgents })
  payFromFaucet(at.real, user, [{ denom: 'rune', amount: 1000n * RUNE }])
  at.block()
  return at
}

function signed(at: Stage, messages: readonly Any[], timeoutHeight = 0n): Uint8Array {
  const state = at.real.stateAt(at.real.height)
  const account = state && accountOf(state, user)
  assert.ok(account)
  return signedTx({
    privateKey,
    chainId: at.real.options.chainId,
    accountNumber: account.number,
    sequence: account.sequence,
    fee: [{ denom: 'rune', amount: 0n }],
    gas: 20_000_000n,
    timeoutHeight,
    messages,
  })
}

const payment = (at: Stage, timeoutHeight = 0n): Uint8Array =>
  signed(at, [sendMessage(user, user, [{ denom: 'rune', amount: 5n }])], timeoutHeight)

/** A swap of 10 RUNE over one or two pairs with a minimum below the present output, by default half a percent. */
function swap(at: Stage, hops: 1 | 2 = 1, permille = 995n): Uint8Array {
  const { height } = at.real
  const state = at.real.stateAt(height)
  const notes = state && marketNotes(state)
  assert.ok(state && notes)
  const machine = at.real.machineAt(height)
  const ask = (contract: string, message: object) =>
    JSON.parse(queryContract(machine, state, new Gas(NO_LIMIT), contract, JSON.stringify(message)))
  const coin = { denom: 'rune', amount: `${10n * RUNE}` }
  const pairs = (['fin-1.0', 'fin-1.1'] as const)
    .flatMap((code) => contractsByCode(state, codeIdOf(code)))
    .flatMap((address) => {
      try {
        return [{ address, denoms: ask(address, { config: {} }).denoms as string[] }]
      } catch {
        // A pair that is halted on purpose.
        return []
      }
    })
  const from = (offered: string, left: number): { address: string; denom: string }[][] =>
    left === 0
      ? [[]]
      : pairs.flatMap(({ address, denoms }) =>
          denoms.includes(offered) && !(offered !== 'rune' && denoms.includes('rune'))
            ? denoms
                .filter((denom) => denom !== offered)
                .flatMap((denom) =>
                  from(denom, left - 1).map((rest) => [{ address, denom }, ...rest]),
                )
            : [],
        )
  for (const stages of from('rune', hops)) {
    try {
      const { returned } = ask(notes.router, { simulate: { coin, stages } })
      if (BigInt(returned) < 1000n) continue
      const amount = `${(BigInt(returned) * permille) / 1000n}`
      const denom = stages.at(-1)!.denom
      const message = { swap: { min_return: { denom, amount }, stages } }
      const funds = [{ denom: 'rune', amount: 10n * RUNE }]
      return signed(at, [executeMessage(user, notes.router, JSON.stringify(message), funds)])
    } catch {
      // A path that takes no 10 RUNE.
    }
  }
  throw new Error('nothing swaps rune')
}

const broadcast = (at: Stage, tx: Uint8Array) =>
  at.rpc('broadcast_tx_sync', { tx: Buffer.from(tx).toString('base64') })

/** The result of a transaction in a block. */
const inBlock = (at: Stage, hash: string): BlockTx | undefined => {
  const found = at.real.find(hash)
  return found?.block.txs[found.index]
}

const signersIn = (tx: Uint8Array | undefined) => (tx ? decodeTx(tx).messages.map(signerOf) : [])

describe('the fault slippage', () => {
  for (const hasAgents of [false, true])
    test(`${hasAgents ? 'on a chain with agents ' : ''}executes another swap first, and the router refuses the user's`, async () => {
      const at = funded(hasAgents).fail({ kind: 'slippage', once: true })
      const { result } = await broadcast(at, swap(at))
      assert.equal(result.code, 0)
      const block = at.block()
      const included = inBlock(at, result.hash)
      assert.equal(included?.result.code, 5)
      assert.equal(included?.result.codespace, 'wasm')
      assert.match(
        included?.result.log ?? '',
        /^failed to execute message; message index: 0: Invalid return amount \d+ expected \d+: execute wasm contract failed$/,
      )
      const place = block?.txs.findIndex(({ hash }) => hash === result.hash) ?? 0
      const mover = block?.txs[place - 1]
      assert.equal(mover?.result.code, 0)
      const traders = agentsOf('demo', 1).trader.map(({ address }) => address)
      assert.ok(traders.includes(signersIn(mover?.bytes)[0] ?? ''))
    })
  test('leaves a path that still pays, however low the minimum', async () => {
    const at = funded().fail({ kind: 'slippage' })
    for (const permille of [995n, 500n, 100n]) {
      const { result } = await broadcast(at, swap(at, 2, permille))
      at.block()
      assert.match(inBlock(at, result.hash)?.result.log ?? '', /Invalid return amount/)
    }
  })
  test('with once applies to the next swap; a payment before it does not use it up', async () => {
    const at = funded().fail({ kind: 'slippage', once: true })
    const paid = await broadcast(at, payment(at))
    at.block()
    assert.equal(inBlock(at, paid.result.hash)?.result.code, 0)
    const first = await broadcast(at, swap(at))
    at.block()
    assert.equal(inBlock(at, first.result.hash)?.result.code, 5)
    const second = await broadcast(at, swap(at))
    at.block()
    assert.equal(inBlock(at, second.result.hash)?.result.code, 0)
  })
})

describe('the fault timeout', () => {
  test('keeps an accepted transaction out of blocks, until its timeout height makes it invalid', async () => {
    const at = funded().fail({ kind: 'timeout', once: true })
    const last = BigInt(at.real.height) + 3n
    const tx = payment(at, last)
    const { result } = await broadcast(at, tx)
    assert.equal(result.code, 0)
    for (let i = 0; i < 5; i++) at.block()
    assert.equal(inBlock(at, result.hash), undefined)
    assert.equal(at.real.pending().length, 0)
    assert.equal((await broadcast(at, tx)).result.code, 30)
    assert.equal((await broadcast(at, payment(at))).result.code, 0)
    at.block()
    assert.equal(at.real.pending().length, 0)
  })
  test('lets the transaction in when it is switched off', async () => {
    const at = funded().fail({ kind: 'timeout' })
    const { result } = await broadcast(at, payment(at))
    at.block()
    assert.equal(inBlock(at, result.hash), undefined)
    at.board.clear()
    at.faultInjection.release()
    at.block()
    assert.equal(inBlock(at, result.hash)?.result.code, 0)
  })
})

describe('the fault halt', () => {
  test('stops the chain once it has accepted a transaction, until it is switched off', async () => {
    for (const once of [true, false]) {
      const at = funded().fail({ kind: 'halt', once })
      assert.ok(at.block())
      const { result } = await broadcast(at, payment(at))
      assert.equal(result.code, 0)
      assert.equal(at.block(), undefined)
      assert.equal(at.block(), undefined)
      at.board.clear()
      at.faultInjection.release()
      assert.ok(at.block())
      assert.equal(inBlock(at, result.hash)?.result.code, 0)
    }
  })
  test('ends by itself after its time', async () => {
    for (const once of [true, false]) {
      const at = funded().fail({ kind: 'halt', once, forMs: 5_000 })
      await broadcast(at, payment(at))
      assert.equal(at.block(), undefined)
      at.clock.now += 5_000
      assert.ok(at.block())
    }
  })
})

describe('a fault of one contract', () => {
  test('concerns the broadcasts of transactions that name it', async () => {
    const at = funded()
    const tx = swap(at)
    const [message] = decodeTx(tx).messages
    assert.equal(message?.kind, 'execute')
    at.fail({ kind: 'funds', pair: message.contract })
    assert.equal((await broadcast(at, tx)).result.code, 5)
    at.block()
    assert.equal((await broadcast(at, payment(at))).result.code, 0)
  })
  test('is no slippage for the swaps of others', async () => {
    const at = funded().fail({ kind: 'slippage', pair: user })
    const { result } = await broadcast(at, swap(at))
    at.block()
    assert.equal(inBlock(at, result.hash)?.result.log, '')
  })
})

describe('a fault of broadcasts', () => {
  test('funds: the coins to spend are gone, and the sequence is not used', async () => {
    const at = funded().fail({ kind: 'funds' })
    const { result } = await broadcast(at, payment(at))
    assert.equal(result.code, 5)
    assert.match(result.log, /^spendable balance 0rune is smaller than 5rune: insufficient funds/)
    assert.equal((await broadcast(at, Uint8Array.of(1))).result.code, 2)
    const spendsNothing = signed(at, [executeMessage(user, user, '{}')])
    assert.equal((await broadcast(at, spendsNothing)).result.log, '')
    assert.equal(at.real.pending().length, 1)
  })
  test('busy: the mempool is full, and the same bytes are accepted afterwards', async () => {
    const at = funded().fail({ kind: 'busy', once: true })
    const tx = payment(at)
    const { error } = await broadcast(at, tx)
    assert.match(error?.data ?? '', /mempool is full/)
    assert.equal((await broadcast(at, tx)).result.code, 0)
  })
  test('lost-reply: the transaction is accepted without an answer', async () => {
    const at = funded().fail({ kind: 'lost-reply', once: true })
    const tx = payment(at)
    const params = { tx: Buffer.from(tx).toString('base64') }
    const lost = await at.send({
      body: bodyOf({ jsonrpc: '2.0', id: 1, method: 'broadcast_tx_sync', params }),
    })
    assert.equal(lost.send, 'reset')
    assert.equal(at.real.pending().length, 1)
    assert.equal((await broadcast(at, tx)).error?.data, 'tx already exists in cache')
  })
  test('sequence-lie: accounts have a sequence that the node then refuses', async () => {
    const at = funded().fail({ kind: 'sequence-lie', n: 2 })
    const { result } = await at.rpc('abci_query', {
      path: '/cosmos.auth.v1beta1.Query/AccountInfo',
      data: Buffer.from(QueryAccountInfoRequest.encode({ address: user }).finish()).toString('hex'),
    })
    const answer = QueryAccountInfoResponse.decode(Buffer.from(result.response.value, 'base64'))
    assert.equal(answer.info?.sequence, 2n)
    assert.equal((await broadcast(at, payment(at))).result.code, 0)
  })
})

test('a message that no fault recognises is unaffected by all of them', async () => {
  const at = funded()
  for (const kind of ['slippage', 'timeout', 'halt']) at.fail({ kind, pair: 'demo1nobody' })
  const { result } = await broadcast(
    at,
    signed(at, [Any.fromPartial({ typeUrl: '/cosmos.gov.v1.MsgVote' })]),
  )
  assert.notEqual(result.code, 0)
  assert.ok(at.block())
})
