import { SigningCosmWasmClient } from '@cosmjs/cosmwasm-stargate'
import { DirectSecp256k1HdWallet, type OfflineSigner } from '@cosmjs/proto-signing'
import { GasPrice } from '@cosmjs/stargate'
import type { Chain } from '../../src/demo-chain/blocks/chain.js'
import { FAUCET } from '../../src/demo-chain/genesis/known-accounts.js'
import type { NodeOptions } from '../../src/demo-chain/node/queries/node.js'
import { serveChain } from '../../src/demo-chain/node/server.js'

/** A served chain with a cosmjs client that signs for the faucet. */
export type SigningClient = {
  readonly client: SigningCosmWasmClient
  /** Another client of the chain. */
  connect(signer: OfflineSigner): Promise<SigningCosmWasmClient>
  close(): Promise<void>
}

/** Serves a chain that makes a block of every broadcast, right after its answer. */
export async function signingClient(
  chain: Chain,
  options: NodeOptions = {},
): Promise<SigningClient> {
  const server = await serveChain(chain, {
    rpcPort: 0,
    restPort: 0,
    ...options,
    middleware: async (request, next) => {
      const reply = await next()
      if (request.body.includes('"broadcast_tx_')) chain.makeBlock()
      return reply
    },
  })
  const connect = (signer: OfflineSigner) =>
    SigningCosmWasmClient.connectWithSigner(server.rpc, signer, {
      gasPrice: GasPrice.fromString('0rune'),
      broadcastPollIntervalMs: 5,
    })
  const client = await connect(
    await DirectSecp256k1HdWallet.fromMnemonic(FAUCET.mnemonic, { prefix: 'demo' }),
  )
  return {
    client,
    connect,
    async close() {
      client.disconnect()
      await server.close()
    },
  }
}
