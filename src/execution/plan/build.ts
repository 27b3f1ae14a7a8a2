import { PLACEHOLDER_KEY } from '../../chain/tx/account.js'
import { decodeSignBytes, signBytesOf } from '../../chain/tx/decode-sign-doc.js'
import { GAS_BOUNDS, isPlausibleGas } from '../../chain/tx/simulate-tx.js'
import { type Call, MAX_MEMO_BYTES } from '../../chain/tx/unsigned-tx.js'
import { invalidRequest, SwapError } from '../../engine/errors.js'
import { gasWanted, tooMuchGasText } from '../../engine/market/gas.js'
import type { Market } from '../../engine/market/market.js'
import { amountIn, type Coin, type Denom, sumByDenom } from '../../engine/market/token.js'
import { mulCeil } from '../../engine/math/decimal.js'
import { formatCoin } from '../../operations/amount.js'
import type { TrialMessage } from '../../operations/chain-port.js'
import { type Action, tooMuchGas } from '../failures.js'
import type { AccountState, Chain } from '../ports.js'
import { MOST_DEADLINE_BLOCKS, type Task } from '../task.js'
import { type ExpectedTx, requireAsPlanned } from './compare.js'
import { dollars } from './limits.js'
import { soldMicroUsd } from './sold-worth.js'

/** The contract calls of one transaction. */
export type TxCalls = {
  readonly market: Market
  readonly action: Action
  readonly calls: readonly TrialMessage[]
  /** The same calls, with texts rendered independently. */
  readonly expected: readonly Call[]
  /** Swaps of later transactions, which the account has to be able to pay as well. */
  readonly later?: readonly { readonly funds: Coin; readonly output: Denom }[]
  /** Estimated gas of the transaction. */
  readonly gas: bigint
  /** The error of a simulation that failed. */
  simulationFailed(why: string): SwapError
}

/** A transaction ready to sign: its bytes, and their decoded content. */
export type BuiltTx = Awaited<ReturnType<typeof build>>

/** Multiple of the estimated gas from which a fee is the node's choice: where `percent` is wrong, estimates are far off. */
const DOUBTFUL = 10n

/**
 * Builds a transaction, simulates it, decodes its bytes and compares them with the plan.
 *
 * @throws SwapError INVALID_REQUEST for a long memo; QUOTE_EXPIRED, INSUFFICIENT_FUNDS; TX_FAILED, MARKET_HALTED and
 *   related codes if the simulation fails; CONFIRMATION_REQUIRED for a fee set by a node that no person confirms;
 *   `GasLimitExceeded` above the network's limit
 */
export async function build(
  chain: Chain,
  { account, terms }: Pick<Task, 'account' | 'terms'>,
  work: TxCalls,
) {
  const { address, isAmino = false } = account
  const { calls, later = [] } = work
  requireShortMemo(terms.memo)
  const accountState = await accountStateOf(chain, address)
  requireHeightOf(work.market, accountState)
  const held = await chain.balances(address, accountState.height)
  await requireShare(chain, address, work.market, terms)
  const offered = [...calls.flatMap((call) => call.funds), ...later.map((swap) => swap.funds)]
  // All loops are in one token (`requireOneTrade`), and each returns its input before the next one starts.
  const funds = work.action === 'loop' ? [largest(offered)] : offered
  const wallet = { held, wayToFund: wayToFund(chain, address) }
  requireFunds(work, funds, wallet)
  const gasUsed = terms.gas === undefined ? await simulatedGas(chain, address, work) : undefined
  const gasLimit = terms.gas ?? gasLimitOf(work, gasUsed!, terms.gasAdjustment)
  const fee = terms.fees ?? [
    { denom: chain.feeDenom, amount: mulCeil(gasLimit, await chain.gasPrice()) },
  ]
  const isDoubtful = gasUsed !== undefined && gasUsed > DOUBTFUL * work.gas
  if (terms.unattended && terms.fees === undefined && (isDoubtful || chain.isGasPriceOfNode))
    await requireSmallFee(
      work.market,
      fee,
      isDoubtful ? { used: gasUsed, estimate: work.gas } : undefined,
    )
  // Later fees are assumed to equal this one. The output of a swap can pay the fee of the next.
  const laterFees = later.flatMap(({ output }) => fee.filter(({ denom }) => denom !== output))
  requireFunds(work, funds, wallet, [...fee, ...laterFees])
  const publicKey = account.publicKey ?? accountState.publicKey ?? PLACEHOLDER_KEY
  const signDoc = signBytesOf({
    chainId: chain.chainId,
    accountNumber: accountState.accountNumber,
    sequence: accountState.sequence,
    sender: address,
    publicKey,
    calls: calls.map(({ message, ...call }) => ({ ...call, message: JSON.stringify(message) })),
    memo: terms.memo,
    timeoutHeight: BigInt(accountState.height + terms.deadlineBlocks),
    fee,
    gasLimit,
    isAmino,
  })
  const decoded = decodeSignBytes(signDoc, publicKey)
  const expectedTx: ExpectedTx = {
    chainId: chain.chainId,
    calls: work.expected,
    address,
    publicKey,
    accountState,
    memo: terms.memo,
    deadlineBlocks: terms.deadlineBlocks,
    maxGas: gasLimit,
    maxFee: fee,
    isAmino,
  }
  requireAsPlanned(expectedTx, decoded)
  return { signDoc, decoded, accountState, gasUsed }
}

/** The largest fee by a node's gas price that is paid unattended, in millionths of a dollar; usual ones are cents. */
const MOST_FEE = 5_000_000n

/**
 * Refuses a fee by which a lying node could take an account's coins.
 *
 * @param gas where it is far more than the estimate, so that it may be the lie
 * @throws SwapError CONFIRMATION_REQUIRED
 */
export async function requireSmallFee(
  market: Market,
  fee: readonly Coin[],
  gas?: { readonly used: bigint; readonly estimate: bigint },
): Promise<void> {
  if (fee.every(({ amount }) => amount === 0n)) return
  const worth = await soldMicroUsd(market, fee)
  if (worth !== undefined && worth <= MOST_FEE) return
  const asked = fee.map(({ denom, amount }) => formatCoin(market, denom, amount)).join(', ')
  const why =
    worth === undefined
      ? `it is ${asked}, which has no price`
      : `it is ${asked}, worth ${dollars(worth)}; up to ${dollars(MOST_FEE)} is paid without a confirmation`
  throw new SwapError('CONFIRMATION_REQUIRED', 'the fee that the node requires needs a person', {
    why:
      gas === undefined
        ? why
        : `${why}; the node reports ${gas.used} gas, the estimate is ${gas.estimate}`,
    hint: `nothing was signed; confirm it at a terminal, say the fee (--fees), or ${gas === undefined ? 'set gas_price of the network' : 'name another node (--rpc)'}`,
  })
}

/**
 * Checks the fee of a transaction that is not shown before it is signed: at most the one that was confirmed for the
 * first of them, or a small one.
 *
 * @throws SwapError CONFIRMATION_REQUIRED
 */
export async function requireConfirmedFee(
  { built, market }: { readonly built: BuiltTx; readonly market: Market },
  confirmed: readonly Coin[],
): Promise<void> {
  const { fee } = built.decoded
  const isConfirmed = fee.every(({ denom, amount }) => amount <= amountIn(confirmed, denom))
  if (!isConfirmed) await requireSmallFee(market, fee)
}

/** Refuses a memo that chains refuse. @throws SwapError INVALID_REQUEST */
export function requireShortMemo(memo: string): void {
  const size = new TextEncoder().encode(memo).length
  if (size <= MAX_MEMO_BYTES) return
  throw invalidRequest('the memo is too long', '/memo', {
    why: `it has ${size} bytes, and chains take at most ${MAX_MEMO_BYTES}`,
    hint: 'nothing was signed; write a shorter memo',
  })
}

/** @throws GasLimitExceeded where the network's limit does not allow the simulated gas */
function gasLimitOf({ market, action, calls }: TxCalls, used: bigint, adjustment: bigint): bigint {
  const wanted = gasWanted(market.gas, used, adjustment)
  if (wanted === undefined) throw tooMuchGas(tooMuchGasText(market.gas, used), action, calls.length)
  return wanted
}

/**
 * The account state of the node with the greatest height.
 *
 * @throws SwapError INSUFFICIENT_FUNDS if no node knows it, UPSTREAM_INVALID_DATA if nodes disagree
 */
export async function accountStateOf(chain: Chain, address: string): Promise<AccountState> {
  const all = await chain.accountStates(address)
  const [first] = [...all].sort((a, b) => b.height - a.height)
  if (first === undefined)
    throw new SwapError('INSUFFICIENT_FUNDS', `${address} holds nothing on ${chain.network}`, {
      why: 'the chain does not know the account',
      hint: wayToFund(chain, address),
      members: { required: null, available: '0', denom: chain.feeDenom },
    })
  for (const other of all)
    if (
      other.accountNumber !== first.accountNumber ||
      (other.height === first.height && other.sequence !== first.sequence)
    )
      throw new SwapError('UPSTREAM_INVALID_DATA', 'two nodes do not agree about the account', {
        why: `${first.node} has number ${first.accountNumber} and sequence ${first.sequence}; ${other.node} has ${other.accountNumber} and ${other.sequence}`,
        hint: 'name nodes that you trust: --rpc',
        members: { upstream: other.node },
      })
  return first
}

/**
 * The timeout height is counted from the height of the account. A node that overstates it would get a transaction that
 * stays valid, and could include it whenever its minimum has become a bad price. As many blocks as the longest deadline
 * may come between reading the market and the account.
 *
 * @throws SwapError UPSTREAM_INVALID_DATA
 */
function requireHeightOf(market: Pick<Market, 'height'>, { node, height }: AccountState): void {
  if (height <= market.height + MOST_DEADLINE_BLOCKS) return
  throw new SwapError('UPSTREAM_INVALID_DATA', 'the height of a node is not plausible', {
    why: `${node} is at block ${height}, and the market was just read at ${market.height}`,
    hint: 'nothing was signed; name nodes that you trust: --rpc',
    members: { upstream: node },
  })
}

/**
 * Refuses a share of a balance of which an earlier transaction has sold since, or that one of several nodes overstated.
 *
 * @throws SwapError QUOTE_EXPIRED
 */
async function requireShare(
  chain: Chain,
  address: string,
  market: Market,
  { shareOf }: Pick<Task['terms'], 'shareOf'>,
): Promise<void> {
  if (shareOf === undefined) return
  const { denom, amount } = shareOf
  const balances = await chain.balanceOfEach(address, denom)
  const lower = balances.find((each) => each.amount < amount)
  if (lower === undefined) return
  throw new SwapError('QUOTE_EXPIRED', 'the balance is lower than when its share was computed', {
    why: `it was ${formatCoin(market, denom, amount)}, and is ${formatCoin(market, denom, lower.amount)} by ${lower.node}`,
    hint: 'nothing was signed; run the command again to use a share of what is left',
  })
}

/** The advice for an account that lacks coins. */
const wayToFund = ({ isOwn }: Chain, address: string): string =>
  isOwn ? `take play money: swap demo faucet ${address}` : 'fund the account'

/** @throws SwapError INSUFFICIENT_FUNDS */
function requireFunds(
  { market, action }: Pick<TxCalls, 'market' | 'action'>,
  funds: readonly Coin[],
  wallet: { readonly held: readonly Coin[]; readonly wayToFund: string },
  fees: readonly Coin[] = [],
): void {
  const isOrder = action === 'order'
  for (const { denom, amount } of sumByDenom([...funds, ...fees])) {
    const available = amountIn(wallet.held, denom)
    if (available >= amount) continue
    const what = isOrder ? 'order' : 'swap'
    const fee = amountIn(fees, denom)
    const forFees = fee > 0n ? `, ${formatCoin(market, denom, fee)} of it for fees` : ''
    throw new SwapError('INSUFFICIENT_FUNDS', `the account does not hold enough for this ${what}`, {
      why: `it holds ${formatCoin(market, denom, available)}, and ${formatCoin(market, denom, amount)} are needed${forFees}`,
      hint: market.tokens.has(denom)
        ? `${isOrder ? 'offer' : 'swap'} less, or ${wallet.wayToFund}`
        : 'no token here has this denom; a fee is in one that the account holds: --fees 2000000rune',
      members: { required: `${amount}`, available: `${available}`, denom },
    })
  }
}

/** The coin with the greatest amount, of coins of one denom. */
const largest = (coins: readonly Coin[]): Coin =>
  coins.reduce((most, coin) => (coin.amount > most.amount ? coin : most))

async function simulatedGas(
  chain: Chain,
  from: string,
  { calls, simulationFailed }: TxCalls,
): Promise<bigint> {
  const trial = await chain.trial(from, calls)
  if (trial.kind === 'failed') throw simulationFailed(trial.why)
  if (isPlausibleGas(trial.gasUsed)) return trial.gasUsed
  const { least, most } = GAS_BOUNDS
  throw new SwapError('UPSTREAM_INVALID_DATA', 'the gas that the node reports is not plausible', {
    why: `it reports ${trial.gasUsed} for this transaction; ${least} to ${most} are accepted`,
    hint: 'name another node (--rpc), or set the gas: --gas',
    members: { upstream: chain.endpoints.join(', ') },
  })
}
