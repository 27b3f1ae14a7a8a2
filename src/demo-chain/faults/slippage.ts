import { inhabitants } from '../agents/life.js'
import { accountOf } from '../auth/account.js'
import type { TxResult } from '../blocks/block.js'
import type { Chain } from '../blocks/chain.js'
import { runTx } from '../blocks/engine.js'
import { type MarketNotes, NOTES } from '../genesis/document.js'
import { inhabitantsOf, type Person } from '../genesis/people.js'
import { Overlay } from '../store/overlay.js'
import type { Reader } from '../store/state.js'
import { decodeTx } from '../tx/decode.js'
import { executeMessage } from '../tx/encode.js'
import { requiredFee } from '../tx/fee.js'
import { type ExecuteMessage, signersOf } from '../tx/messages.js'
import { signedTx } from '../tx/sign.js'
import { balanceOf } from '../wasm/bank.js'
import type { Coin } from '../wasm/contract.js'

/** Gas that the mover asks for: more than any swap takes. */
const GAS = 50_000_000n

/** The message of a transaction that swaps through the router with a floor, if it has one. */
export function routerSwapOf(chain: Chain, bytes: Uint8Array): ExecuteMessage | undefined {
  const router = chain.stateAt(chain.height)?.get<MarketNotes>(...NOTES)?.router
  return decodeTx(bytes).messages.find(
    (message): message is ExecuteMessage =>
      message.kind === 'execute' &&
      message.contract === router &&
      message.funds.length === 1 &&
      swapOf(message) !== undefined,
  )
}

type Swap = { readonly min_return: unknown; readonly stages: unknown }

function swapOf({ message }: ExecuteMessage): Swap | undefined {
  try {
    const { swap } = JSON.parse(message) as { readonly swap?: Partial<Swap> }
    return swap?.stages && swap.min_return ? (swap as Swap) : undefined
  } catch {
    return undefined
  }
}

/** Times the user's amount that an inhabitant tries, one after the other. */
const sizes = [1n, 4n, 16n, 64n, 256n, 1024n, 4096n, 16384n, 65536n, 262144n]

/**
 * The transaction of an inhabitant who swaps the same way before the user, just so much that the
 * user's own swap no longer gives what it must; none when no amount does that.
 */
export function moveMarket(chain: Chain, user: Uint8Array): readonly Uint8Array[] {
  const state = chain.stateAt(chain.height)
  const message = routerSwapOf(chain, user)
  const [funds] = message?.funds ?? []
  if (!state || !message || !funds) return []
  const acting = inhabitants(chain.options)(chain)
  const person = somebody(chain, state, funds.denom, acting)
  if (!person) return []
  const held = balanceOf(state, person.address, funds.denom)
  for (const size of sizes) {
    const amount = funds.amount * size < held ? funds.amount * size : held
    const mover = swapBy(chain, state, person, message, { denom: funds.denom, amount })
    const results = tried(chain, state, [...acting, mover, user])
    const [moved, last] = results.slice(-2)
    if (moved?.code === 0 && last?.codespace === 'wasm' && last.code === 5) return [mover]
    if (amount === held) break
  }
  return []
}

/** The richest trader who does nothing else in this block. */
function somebody(
  { options }: Chain,
  state: Reader,
  denom: string,
  acting: readonly Uint8Array[],
): Person | undefined {
  const busy = new Set(acting.flatMap((tx) => decodeTx(tx).messages.flatMap(signersOf)))
  return inhabitantsOf(options.prefix, options.seed)
    .trader.filter(({ address }) => !busy.has(address))
    .map((person) => ({ person, held: balanceOf(state, person.address, denom) }))
    .reduce<{ person?: Person; held: bigint }>(
      (best, each) => (each.held > best.held ? each : best),
      { held: 0n },
    ).person
}

/** The user's swap in another size, with no floor to speak of. */
function swapBy(
  { options }: Chain,
  state: Reader,
  person: Person,
  message: ExecuteMessage,
  offer: Coin,
): Uint8Array {
  const { stages, min_return } = swapOf(message) as Swap
  const floor = { ...(min_return as object), amount: '1' }
  const account = accountOf(state, person.address)
  if (!account) throw new Error(`${person.name} has no account`)
  const fee = requiredFee(options.gasPrice, GAS)
  return signedTx({
    privateKey: person.privateKey,
    chainId: options.chainId,
    accountNumber: account.number,
    sequence: account.sequence,
    fee: fee === 0n ? [] : [{ denom: options.feeDenom, amount: fee }],
    gas: GAS,
    messages: [
      executeMessage(
        person.address,
        message.contract,
        JSON.stringify({ swap: { min_return: floor, stages } }),
        [offer],
      ),
    ],
  })
}

/** What transactions would give, one after the other, in the next block. */
function tried(chain: Chain, state: Reader, txs: readonly Uint8Array[]): readonly TxResult[] {
  const { prefix, gasPrice, feeDenom, blockTimeMs } = chain.options
  const now = chain.machineAt(chain.height)
  const machine = {
    ...now,
    height: now.height + 1,
    time: now.time + BigInt(blockTimeMs) * 1_000_000n,
  }
  const trial = new Overlay(state)
  return txs.map((tx) => runTx(machine, trial, tx, 'deliver', { prefix, gasPrice, feeDenom }))
}
