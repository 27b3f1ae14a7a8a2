import type { Any } from 'cosmjs-types/google/protobuf/any'
import { SwapError } from '../../engine/errors.js'
import { formatRational, rational } from '../../engine/math/rational.js'
import { type Chain, newestState, type TxResult } from '../blocks/chain.js'
import { txHash } from '../blocks/hashing.js'
import { FAUCET, faucetAddress } from '../genesis/known-accounts.js'
import { type MarketNotes, marketNotes } from '../genesis/market-snapshot.js'
import { invalidAddress } from '../modules/addresses.js'
import { balanceOf, byDenom } from '../modules/bank.js'
import type { Coin } from '../modules/contract.js'
import type { Reader } from '../store/state.js'
import { accountTx, sendMessage } from '../tx/sign.js'

const GAS = 2_000_000n

/** Default amount in atomics: 10,000 units of eight decimals. */
const USUAL = 10n ** 12n

/** A payment that waits for a block. */
export type PendingPayment = {
  readonly hash: string
  readonly address: string
  /** Sorted by denom. */
  readonly coins: readonly Coin[]
}

/**
 * Pays coins to an address in the next block.
 *
 * @param to in lower or upper case
 * @param coins of different denoms; default: the fee's denom and the market's dollar
 * @throws SwapError for an address of another chain, or for more than the faucet holds
 */
export function payFromFaucet(chain: Chain, to: string, coins: readonly Coin[]): PendingPayment {
  const { prefix, feeDenom } = chain.options
  const why = invalidAddress(prefix, to)
  if (why !== undefined) throw noAddress(prefix, to, why)
  const address = to.toLowerCase()
  const state = newestState(chain)
  const { usd, tokens } = marketNotes(state)
  const usual = [...new Set([feeDenom, usd])].map((denom) => ({ denom, amount: USUAL }))
  const wanted = coins.length > 0 ? coins : usual
  const sorted = [...wanted].sort(byDenom)
  const faucet = faucetAddress(prefix)
  for (const coin of sorted) {
    const held = balanceOf(state, faucet, coin.denom)
    if (held < coin.amount) throw tooMuch(coin, held, tokens)
  }
  const tx = broadcast(chain, state, sendMessage(faucet, address, sorted), faucet)
  return { hash: txHash(tx), address, coins: sorted }
}

/** Signs with the sequence that the state has, or with the one that the node then expects. */
function broadcast(chain: Chain, state: Reader, message: Any, faucet: string): Uint8Array {
  const signer = { address: faucet, privateKey: Buffer.from(FAUCET.privateKey, 'hex') }
  const transaction = { gas: GAS, messages: [message] }
  const first = accountTx(chain.options, state, signer, transaction)
  const result = chain.broadcast(first)
  if (result.code === 0) return first
  const expected = /expected (\d+), got/.exec(result.log)?.[1]
  if (result.code !== 32 || expected === undefined) throw refusedPayment(result)
  const sequence = BigInt(expected)
  const second = accountTx(chain.options, state, signer, { ...transaction, sequence })
  const again = chain.broadcast(second)
  if (again.code !== 0) throw refusedPayment(again)
  return second
}

const noAddress = (prefix: string, address: string, why: string): SwapError =>
  new SwapError(
    'INVALID_ADDRESS',
    `"${address.slice(0, 80)}" is not an address of the demo chain`,
    {
      why,
      hint: `an address here begins with ${prefix}1`,
      members: { pointer: '/address' },
    },
  )

function tooMuch({ denom, amount }: Coin, held: bigint, tokens: MarketNotes['tokens']): SwapError {
  const token = tokens.find((each) => each.denom === denom)
  const text = (atomics: bigint): string =>
    token === undefined
      ? `${atomics} ${denom} in base units`
      : `${formatRational(rational(atomics, 10n ** BigInt(token.decimals)))} ${token.symbol}`
  return held === 0n
    ? new SwapError('UNKNOWN_TOKEN', `the demo chain has no "${denom}"`, {
        hint: 'list the tokens: swap tokens',
        members: { candidates: [] },
      })
    : new SwapError('INVALID_AMOUNT', `the faucet cannot give ${text(amount)}`, {
        why: `it has ${text(held)} left`,
        hint: 'ask for less, or start over: swap demo reset',
        members: { pointer: '/coins' },
      })
}

const refusedPayment = ({ codespace, code, log }: TxResult): SwapError =>
  new SwapError('BUSY', 'the demo chain does not take the payment at the moment', {
    why: `${log} (${codespace} ${code})`,
    hint: 'try again in a moment; see which faults are on: swap demo status',
  })
