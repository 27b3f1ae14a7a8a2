import { AuthInfo, TxRaw } from 'cosmjs-types/cosmos/tx/v1beta1/tx'
import { demo } from '../../src/chain/networks/demo.js'
import { openNodes } from '../../src/chain/rpc/nodes.js'
import { txHashOf } from '../../src/chain/tx/unsigned-tx.js'
import { executionChain } from '../../src/compose/execution/execution-chain.js'
import type { EmbeddedChain } from '../../src/demo-chain/blocks/embedded-chain.js'
import { addressOfKey } from '../../src/demo-chain/modules/addresses.js'
import type { Middleware } from '../../src/demo-chain/node/reply.js'
import { serveChain } from '../../src/demo-chain/node/server.js'
import { payFromFaucet } from '../../src/demo-chain/process/faucet.js'
import { publicKeyOf, sendMessage, signature, signedTx } from '../../src/demo-chain/tx/sign.js'
import { directSignBytes } from '../../src/demo-chain/tx/verify.js'
import type { Entry, Intent, Journal } from '../../src/execution/journal/intent.js'
import { resultOf } from '../../src/execution/lifecycle/result.js'
import { refresh } from '../../src/execution/lifecycle/settle.js'
import { type Tracking, track } from '../../src/execution/lifecycle/track.js'
import { noPauses } from '../chain/rpc/stage.js'
import { chainOf } from '../support/chain.js'
import { closing } from '../support/closing.js'
import { intent as blank, tx as unsent } from './script.js'

const privateKey = new Uint8Array(32).fill(9)
export const address = addressOfKey('demo', publicKeyOf(privateKey))
export const passing: Middleware = (_request, next) => next()

/** A chain of the same genesis as every other one here, on which the account holds some coins. */
export function funded(): EmbeddedChain {
  const chain = chainOf({ life: false })
  payFromFaucet(chain, address, [{ denom: 'rune', amount: 10n ** 10n }])
  chain.makeBlock()
  return chain
}

export const original = funded()
export const { number, sequence } = original
  .stateAt(original.height)!
  .get<{ number: bigint; sequence: bigint }>('auth', address)!
export const bytes = signedTx({
  privateKey,
  chainId: demo.chainId,
  accountNumber: number,
  sequence,
  gas: 20_000_000n,
  timeoutHeight: BigInt(original.height + 8),
  messages: [sendMessage(address, address, [{ denom: 'rune', amount: 50n }])],
})

export const signed: Intent = {
  ...blank,
  address,
  recipient: address,
  contract: address,
  txs: [
    {
      ...unsent,
      hash: txHashOf(bytes),
      bytes: Buffer.from(bytes).toString('base64'),
      public_key: Buffer.from(publicKeyOf(privateKey)).toString('base64'),
      account_number: `${number}`,
      sequence: `${sequence}`,
      timeout_height: original.height + 8,
      signed_height: original.height,
    },
  ],
}

/** A chain as one node serves it. */
type Node = { readonly chain: EmbeddedChain; readonly middleware?: Middleware }

/** Everything that tracking needs, over these nodes; time advances, and blocks are made, by waiting. */
export async function over(nodes: readonly Node[], down = 0, patienceMs = 1_000) {
  const served = await Promise.all(
    nodes.map(async ({ chain, middleware = passing }) =>
      closing(await serveChain(chain, { rpcPort: 0, restPort: 0, middleware })),
    ),
  )
  const dead = Array.from({ length: down }, () => 'http://127.0.0.1:1')
  const rpc = [...served.map((each) => each.rpc), ...dead]
  const opened = closing(
    openNodes({ chainId: demo.chainId, rpc, deadlineMs: 2_000, limits: noPauses }),
  )
  const chain = executionChain({ network: demo, nodes: opened, patienceMs })
  const written: Intent[] = []
  let now = 0
  const session: Tracking = {
    chain,
    journal: { put: (intent: Intent) => void written.push(intent) } as unknown as Journal,
    clock: {
      now: () => now,
      async sleep(ms) {
        now += ms
        for (const each of new Set(nodes.map((node) => node.chain))) each.makeBlock()
      },
      time: () => '2026-11-21T16:55:07.123Z',
    },
    progress: () => {},
    interrupt: new AbortController().signal,
    isHeld: () => true,
    pollIntervalMs: 1_000,
    stallMs: 20_000,
  }
  const run = async (waitMs = 15_000) => {
    const entry: Entry = { intent: signed, at: 0 }
    const outcome = await track(session, { wait: 'included', waitMs }, entry)
    return { ...resultOf(entry, outcome), intent: entry.intent }
  }
  const sent = { ...signed, txs: [{ ...signed.txs[0]!, state: 'sent' as const }] }
  const polled = () => refresh(session, sent)
  return { session, run, polled, written, urls: rpc }
}

// biome-ignore lint/suspicious/noExplicitAny: answers are changed freely
type Change = (method: string, result: any, answer: any) => void

/** Changes JSON-RPC answers and their results; batches are answered one by one. */
export const changing = (change: Change): Middleware => {
  return async (request, next) => {
    const reply = await next()
    if (request.endpoint !== 'rpc' || request.body.length === 0) return reply
    const asked = [JSON.parse(request.body.toString())].flat()
    const answers = [JSON.parse(reply.body.toString())].flat()
    for (const answer of answers) {
      const call = asked.find(({ id }) => id === answer.id)
      if (answer.result !== undefined) change(call.method, answer.result, answer)
    }
    const isBatch = request.body.toString().startsWith('[')
    return { ...reply, body: Buffer.from(JSON.stringify(isBatch ? answers : answers[0])) }
  }
}

/** A node that says of every transaction in a block that it failed. */
export const failing = changing((method, result) => {
  const results = method === 'tx' ? [result.tx_result] : (result.txs_results ?? [])
  for (const each of results) Object.assign(each, { code: 5, codespace: 'wasm', log: 'failed' })
})

/** A node that takes every transaction and says that it refused it. */
export const refusing = (code: number): Middleware =>
  changing((method, result) => {
    if (method === 'broadcast_tx_sync')
      Object.assign(result, { code, codespace: 'sdk', log: 'made up' })
  })

const rune = (amount: bigint) => ({ denom: 'rune', amount })

/** An account of a chain, which pays others. */
function accountOf(chain: EmbeddedChain, privateKey: Uint8Array) {
  const address = addressOfKey('demo', publicKeyOf(privateKey))
  const pay = (to: string, { isKeyGiven = true } = {}): Uint8Array => {
    const { number: accountNumber, sequence } = chain
      .stateAt(chain.height)!
      .get<{ number: bigint; sequence: bigint }>('auth', address)!
    const bytes = signedTx({
      privateKey,
      chainId: demo.chainId,
      accountNumber,
      sequence,
      gas: 1_000_000n,
      messages: [sendMessage(address, to, [rune(1n)])],
    })
    if (isKeyGiven) return bytes
    const { bodyBytes, authInfoBytes } = TxRaw.decode(bytes)
    const { fee, signerInfos } = AuthInfo.decode(authInfoBytes)
    const [{ modeInfo }] = signerInfos as [(typeof signerInfos)[number]]
    const keyless = AuthInfo.encode(
      AuthInfo.fromPartial({ fee: fee!, signerInfos: [{ modeInfo: modeInfo!, sequence }] }),
    ).finish()
    const signBytes = directSignBytes(bodyBytes, keyless, demo.chainId, accountNumber)
    const signatures = [signature(privateKey, signBytes)]
    return TxRaw.encode({ bodyBytes, authInfoBytes: keyless, signatures }).finish()
  }
  return { address, privateKey, pay }
}

/** Two accounts of a chain that have published their keys, and are at sequence 1. */
export function twoAccounts(chain: EmbeddedChain) {
  const [own, other] = [1, 2].map((fill) => accountOf(chain, new Uint8Array(32).fill(fill)))
  const both = [own!, other!] as const
  for (const each of both) payFromFaucet(chain, each.address, [rune(10n ** 9n)])
  chain.makeBlock()
  for (const each of both) chain.broadcast(each.pay(each.address))
  chain.makeBlock()
  return both
}
