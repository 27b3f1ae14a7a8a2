import type { Block, BlockTx } from '../../../src/demo-chain/blocks/chain.js'
import type { EmbeddedChain } from '../../../src/demo-chain/blocks/embedded-chain.js'
import { FAUCET, faucetAddress } from '../../../src/demo-chain/genesis/known-accounts.js'
import { accountOf } from '../../../src/demo-chain/modules/accounts.js'
import { contractInfo, contracts } from '../../../src/demo-chain/modules/dispatch.js'
import type { Middleware } from '../../../src/demo-chain/node/reply.js'
import {
  type NodeServer,
  type ServeOptions,
  serveChain,
} from '../../../src/demo-chain/node/server.js'
import { executeMessage, signedTx } from '../../../src/demo-chain/tx/sign.js'
import { chainOf, grow } from '../../support/chain.js'

/** A chain with the prefix, the id and the router of the recorded one. */
export function stageChain(keep = 20, blocks = 30): EmbeddedChain {
  const chain = chainOf({ prefix: 'thor', chainId: 'swap-truth-1', dialect: 'stack', keep })
  grow(chain, blocks)
  return chain
}

/** A served chain, and a function that closes it. */
export const served = (
  chain: EmbeddedChain,
  options: Partial<ServeOptions> & { middleware?: Middleware } = {},
): Promise<NodeServer> => serveChain(chain, { rpcPort: 0, restPort: 0, ...options })

/** The contract with a label. */
export function labelled(chain: EmbeddedChain, label: string): string {
  const state = chain.store.at(chain.height)
  const found = contracts(state).find((contract) => contractInfo(state, contract)?.label === label)
  if (found === undefined) throw new Error(`no contract ${label}`)
  return found
}

export const USDC = 'eth-usdc-0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48'
export const pairOf = (chain: EmbeddedChain, base: string, quote = USDC): string =>
  labelled(chain, `rujira-fin:${base}:${quote}`)

/** The faucet's next transaction, after so many others of it in the mempool. */
function faucetTx(chain: EmbeddedChain, waiting: number, message: 'swap' | 'fail'): Uint8Array {
  const { prefix, chainId } = chain.options
  const address = faucetAddress(prefix)
  const account = accountOf(chain.store.at(chain.height), address)
  if (!account) throw new Error('the faucet has no account')
  return signedTx({
    privateKey: Buffer.from(FAUCET.privateKey, 'hex'),
    chainId,
    accountNumber: account.number,
    sequence: account.sequence + BigInt(waiting),
    gas: 2_000_000n,
    fee: [{ denom: 'rune', amount: 2_000_000n }],
    messages: [
      message === 'swap'
        ? executeMessage(address, pairOf(chain, 'rune'), '{"swap":{}}', [
            { denom: 'rune', amount: 1_000_000n },
          ])
        : executeMessage(address, pairOf(chain, 'btc-btc'), '{"nope":{}}'),
    ],
  })
}

/** A swap that no block has, after so many others of the faucet. */
export const freshTx = (chain: EmbeddedChain, waiting = 0): Uint8Array =>
  faucetTx(chain, waiting, 'swap')

/** A transaction that is included in a block and fails there. */
export const failingTx = (chain: EmbeddedChain): Uint8Array => faucetTx(chain, 0, 'fail')

/** The newest kept transaction that satisfies a condition. */
export function keptTx(
  chain: EmbeddedChain,
  wanted: (tx: BlockTx) => boolean,
): { readonly block: Block; readonly tx: BlockTx } {
  for (let height = chain.height; height >= chain.earliest; height--) {
    const block = chain.block(height)
    const tx = block?.txs.find(wanted)
    if (block && tx) return { block, tx }
  }
  throw new Error('no such transaction is kept')
}

export const attribute = (tx: BlockTx, type: string, key: string): string | undefined =>
  tx.result.events.find((event) => event.type === type)?.attributes.find((each) => each.key === key)
    ?.value
