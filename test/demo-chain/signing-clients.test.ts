import assert from 'node:assert/strict'
import { Secp256k1HdWallet } from '@cosmjs/amino'
import { calculateFee } from '@cosmjs/stargate'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { FAUCET, faucetAddress } from '../../src/demo-chain/genesis/known-accounts.js'
import { chainOf, document } from '../support/chain.js'
import { type SigningClient, signingClient } from '../support/signing-client.js'

const chain = chainOf({ life: false })
const faucet = faucetAddress('demo')
const { router, usd } = document
const pair = document.pairs.find(({ base, quote }) => base === 'rune' && quote === usd)
const stages = [{ address: pair?.address ?? '', denom: 'rune' }]

let signing: SigningClient
let client: SigningClient['client']

beforeAll(async () => {
  signing = await signingClient(chain)
  client = signing.client
})
afterAll(() => signing.close())

const swap = (minimum: bigint) => ({
  swap: { min_return: { denom: 'rune', amount: `${minimum}` }, stages },
})
const funds = [{ denom: usd, amount: '100000000000' }]
const attributeOf = (
  events: readonly { type: string; attributes: readonly { key: string; value: string }[] }[],
  type: string,
  key: string,
): string =>
  events.find((event) => event.type === type)?.attributes.find((attribute) => attribute.key === key)
    ?.value ?? ''

describe('an unmodified cosmjs client that signs', () => {
  test('executes a swap that pays what the router simulated', async () => {
    const simulation = await client.queryContractSmart(router.address, {
      simulate: { coin: funds[0], stages },
    })
    const before = BigInt((await client.getBalance(faucet, 'rune')).amount)
    const done = await client.execute(faucet, router.address, swap(1n), 'auto', '', funds)
    assert.equal(
      attributeOf(done.events, 'wasm-liquidy-swap/swap', 'output_amount'),
      simulation.returned,
    )
    const after = BigInt((await client.getBalance(faucet, 'rune')).amount)
    assert.equal(after - before, BigInt(simulation.returned))
    const found = await client.getTx(done.transactionHash)
    assert.equal(found?.height, done.height)
    assert.equal(found?.code, 0)
    const searched = await client.searchTx(`execute._contract_address='${router.address}'`)
    assert.ok(searched.some(({ hash }) => hash === done.transactionHash))
    const { txs, header } = await client.getBlock(done.height)
    assert.equal(txs.length, 1)
    assert.equal(header.height, done.height)
  })

  test('executes two legs in one transaction', async () => {
    const leg = { contractAddress: router.address, msg: swap(1n), funds }
    const done = await client.executeMultiple(faucet, [leg, leg], 'auto')
    const indexes = done.events
      .filter(({ type }) => type === 'wasm-liquidy-swap/swap')
      .map(({ attributes }) => attributes.find(({ key }) => key === 'msg_index')?.value)
    assert.deepEqual(indexes, ['0', '1'])
  })

  test('gets the reason of a failed swap: in the simulation, and in the block', async () => {
    const text = /Invalid return amount \d+ expected 1000000000000000000000/
    const unaffordable = swap(10n ** 21n)
    await assert.rejects(
      client.execute(faucet, router.address, unaffordable, 'auto', '', funds),
      text,
    )
    const fee = calculateFee(5_000_000, '0rune')
    await assert.rejects(client.execute(faucet, router.address, unaffordable, fee, '', funds), text)
    const { sequence } = await client.getSequence(faucet)
    const { code, rawLog } = (await client.getTx(lastHash())) ?? { code: 0, rawLog: '' }
    assert.equal(code, 5)
    assert.match(rawLog, /execute wasm contract failed$/)
    // Included, so its sequence is used; the next transaction has the next one.
    await client.sendTokens(faucet, router.address, [{ denom: 'rune', amount: '1' }], fee)
    assert.equal((await client.getSequence(faucet)).sequence, sequence + 1)
  })

  test('signs in amino as well', async () => {
    const wallet = await Secp256k1HdWallet.fromMnemonic(FAUCET.mnemonic, { prefix: 'demo' })
    const amino = await signing.connect(wallet)
    const done = await amino.execute(
      faucet,
      router.address,
      swap(1n),
      'auto',
      'amino & <signed>',
      funds,
    )
    assert.ok(done.height > 0)
    amino.disconnect()
  })
})

/** The hash of the newest transaction. */
function lastHash(): string {
  for (let height = chain.height; height >= chain.earliest; height--) {
    const hash = chain.block(height)?.txs.at(-1)?.hash
    if (hash) return hash
  }
  return ''
}
