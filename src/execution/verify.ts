import type { IncludedTx, Movement } from '../chain/tx/outcome.js'
import {
  amountIn,
  type Coin,
  type Denom,
  differenceOf,
  sumByDenom,
  sumsOf,
} from '../engine/market/token.js'
import { coinDocument } from '../operations/document-parts.js'
import { allAgree } from '../operations/simulations.js'
import type { FillRecord } from './journal/intent.js'
import { unlessNodesFail } from './lifecycle/poll.js'
import type { Chain } from './ports.js'

/** The expected movements of a transaction; `messages` in order of execution. */
type ExpectedMovements = {
  readonly address: string
  readonly recipient: string
  readonly contract: string
  readonly messages: readonly { readonly funds: Coin; readonly output: Denom }[]
}

/** Sums the movements in the events of a transaction, and compares them with the balances. */
export async function verify(
  chain: Chain,
  included: IncludedTx,
  { address, recipient, contract, messages }: ExpectedMovements,
): Promise<FillRecord> {
  const of = (account: string, kind: Movement['kind'], message?: number) =>
    coinsMoved(included, account, kind, (at) =>
      message === undefined ? !ofFee(at) : at === message,
    )
  const sold = new Set(messages.map(({ funds }) => funds.denom))
  const bought = new Set(messages.map(({ output }) => output))
  // In an arbitrage loop the denoms sold and bought are the same, so no return can be distinguished.
  const returned = sumByDenom(of(address, 'received')).filter(
    ({ denom }) => sold.has(denom) && !bought.has(denom),
  )
  const spent = less(sumByDenom(of(address, 'spent')), returned)
  const received = messages.map(({ output }, i) => amountIn(of(recipient, 'received', i), output))
  const left = less(sumByDenom(of(contract, 'received')), sumByDenom(of(contract, 'spent')))
  const [router, ...own] = await Promise.all(
    [contract, ...new Set([address, recipient])].map((account) =>
      unlessNodesFail(() => changesOf(chain, included, account)),
    ),
  )
  const areExpected =
    received.every((amount) => amount > 0n) &&
    sumByDenom(messages.map(({ funds }) => funds)).every(
      ({ denom, amount }) => amountIn(spent, denom) === amount,
    )
  return {
    spent: spent.map(coinDocument),
    returned: returned.map(coinDocument),
    received: received.map(String),
    fee: feeOf(included, address),
    // The next caller may take them.
    left_behind: left.map(coinDocument),
    router_grew: router?.grew.map(coinDocument) ?? null,
    verified: {
      events: areExpected,
      balances: allAgree(own.map((each) => each?.agree ?? null)),
      router: router?.agree ?? null,
    },
    ...gasOf(included),
  }
}

/**
 * Sums the coins that each order message sent and received, and compares them with the messages and the balances of the
 * account.
 *
 * @param funds coins attached to each message, in order of execution
 */
export async function verifyOrders(
  chain: Chain,
  included: IncludedTx,
  address: string,
  funds: readonly (readonly Coin[])[],
): Promise<FillRecord> {
  const moved = (kind: Movement['kind'], message: number) =>
    sumByDenom(coinsMoved(included, address, kind, (at) => at === message))
  const own = await unlessNodesFail(() => changesOf(chain, included, address))
  return {
    spent: sumByDenom(funds.flatMap((_, i) => moved('spent', i))).map(coinDocument),
    returned: [],
    received: [],
    paid: funds.map((_, i) => moved('received', i).map(coinDocument)),
    fee: feeOf(included, address),
    left_behind: [],
    router_grew: null,
    verified: {
      events: funds.every((coins, i) => {
        const spent = moved('spent', i)
        return less(spent, coins).length === 0 && less(coins, spent).length === 0
      }),
      balances: own?.agree ?? null,
      router: null,
    },
    ...gasOf(included),
  }
}

/** Coins that left or entered an account, by the selected messages. */
const coinsMoved = (
  { movements }: IncludedTx,
  account: string,
  kind: Movement['kind'],
  isMeant: (message: number | undefined) => boolean,
): readonly Coin[] =>
  movements
    .filter((each) => each.account === account && each.kind === kind && isMeant(each.message))
    .flatMap(({ coins }) => coins)

/** Selects the movements of the fee. */
const ofFee = (message: number | undefined): boolean => message === undefined

const feeOf = (included: IncludedTx, address: string): FillRecord['fee'] =>
  sumByDenom(coinsMoved(included, address, 'spent', ofFee)).map(coinDocument)

const gasOf = ({ gasUsed, gasWanted }: IncludedTx) => ({
  gas_used: `${gasUsed}`,
  gas_limit: `${gasWanted}`,
})

/**
 * The changes of an account's balances in the block of a transaction. The balances prove nothing if another transaction of
 * the block changed the account as well.
 */
async function changesOf(chain: Chain, included: IncludedTx, account: string) {
  const { height } = included
  const [before, after] = await Promise.all([
    chain.balances(account, height - 1),
    chain.balances(account, height),
  ])
  const grown = differenceOf(sumsOf(after), sumsOf(before))
  const moved = (kind: Movement['kind']) => sumsOf(coinsMoved(included, account, kind, () => true))
  const unexplained = differenceOf(grown, differenceOf(moved('received'), moved('spent')))
  return {
    /** Whether the balances changed by the moved amounts, and no other denom changed. */
    agree: [...unexplained.values()].every((amount) => amount === 0n),
    /** Denoms that increased, by any transaction of the block. */
    grew: after
      .map(({ denom }) => ({ denom, amount: grown.get(denom)! }))
      .filter(({ amount }) => amount > 0n),
  }
}

/** Coins minus others; denoms that reach zero or less are dropped. */
const less = (coins: readonly Coin[], others: readonly Coin[]): readonly Coin[] =>
  coins
    .map(({ denom, amount }) => ({ denom, amount: amount - amountIn(others, denom) }))
    .filter(({ amount }) => amount > 0n)
