import type { IncludedTx, Movement } from '../chain/tx/outcome.js'
import type { Coin, Denom } from '../engine/market/token.js'
import { amountIn, sumsOf } from '../engine/orders/coin-sums.js'
import { coinDocument, coinFrom } from '../operations/route-document.js'
import type { FillRecord } from './journal/intent.js'
import { unlessNodesFail } from './lifecycle/poll.js'
import type { Chain } from './ports.js'

/** The coins that a transaction moved, in atomics. */
export type Fill = {
  /** Coins spent by the messages, less those returned. */
  readonly spent: readonly Coin[]
  /** Coins of the denoms sold that were returned. */
  readonly returned: readonly Coin[]
  /** Amount of the denom bought that the recipient received, by message. */
  readonly received: readonly bigint[]
  /** For orders: the coins that each message paid the account. */
  readonly paid?: readonly (readonly Coin[])[]
  readonly fee: readonly Coin[]
  /** Coins left in the router according to the events: the next caller may take them. */
  readonly leftBehind: readonly Coin[]
  /** Results of the checks; `null` if the data could not be read. */
  readonly verified: FillRecord['verified']
  /** Increase of the router's balances over the block; `null` if unknown. */
  readonly routerGrew: readonly Coin[] | null
}

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
  expected: ExpectedMovements,
): Promise<Fill> {
  const fill = fillOf(included, expected)
  const [own, router] = await Promise.all(
    [expected.address, expected.contract].map((account) =>
      unlessNodesFail(() => changesOf(chain, included, account)),
    ),
  )
  return {
    ...fill,
    verified: {
      events: eventsAgree(fill, expected),
      balances: own?.agree ?? null,
      router: router?.agree ?? null,
    },
    routerGrew: router?.grew ?? null,
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
): Promise<Fill> {
  const moved = (kind: Movement['kind'], message: number | undefined) =>
    sumByDenom(coinsMoved(included, address, kind, (at) => at === message))
  const own = await unlessNodesFail(() => changesOf(chain, included, address))
  return {
    spent: sumByDenom(funds.flatMap((_, i) => moved('spent', i))),
    returned: [],
    received: [],
    paid: funds.map((_, i) => moved('received', i)),
    fee: moved('spent', undefined),
    leftBehind: [],
    verified: {
      events: funds.every((coins, i) => {
        const spent = moved('spent', i)
        return less(spent, coins).length === 0 && less(coins, spent).length === 0
      }),
      balances: own?.agree ?? null,
      router: null,
    },
    routerGrew: null,
  }
}

type FillTotals = Omit<Fill, 'verified' | 'routerGrew' | 'paid'>

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

/** The fill from the events alone. */
function fillOf(included: IncludedTx, expected: ExpectedMovements): FillTotals {
  const { address, recipient, contract, messages } = expected
  const of = (account: string, kind: Movement['kind'], message?: number) =>
    coinsMoved(included, account, kind, (at) =>
      message === undefined ? !ofFee(at) : at === message,
    )
  const sold = new Set(messages.map(({ funds }) => funds.denom))
  const bought = new Set(messages.map(({ output }) => output))
  const out = sumByDenom(of(address, 'spent'))
  // In an arbitrage loop the denoms sold and bought are the same, so no return can be distinguished.
  const back = sumByDenom(of(address, 'received')).filter(
    ({ denom }) => sold.has(denom) && !bought.has(denom),
  )
  return {
    spent: less(out, back),
    returned: back,
    received: messages.map(({ output }, i) => amountIn(of(recipient, 'received', i), output)),
    fee: sumByDenom(coinsMoved(included, address, 'spent', ofFee)),
    leftBehind: less(sumByDenom(of(contract, 'received')), sumByDenom(of(contract, 'spent'))),
  }
}

const eventsAgree = ({ spent, received }: FillTotals, { messages }: ExpectedMovements): boolean =>
  received.every((amount) => amount > 0n) &&
  sumByDenom(messages.map(({ funds }) => funds)).every(
    ({ denom, amount }) => amountIn(spent, denom) === amount,
  )

/** The changes of an account's balances in a block. */
type Changes = {
  /** Whether the moved denoms changed by exactly the moved amounts. */
  readonly agree: boolean
  /** Denoms that increased, by any transaction of the block. */
  readonly grew: readonly Coin[]
}

/**
 * Compares an account before and after the block of a transaction. The balances prove nothing if another transaction of
 * the block changed the account as well.
 */
async function changesOf(
  chain: Chain,
  { height, movements }: IncludedTx,
  account: string,
): Promise<Changes> {
  const [before, after] = await Promise.all([
    chain.balances(account, height - 1),
    chain.balances(account, height),
  ])
  const moved = new Map<Denom, bigint>()
  for (const { kind, coins } of movements.filter((each) => each.account === account))
    for (const { denom, amount } of coins)
      moved.set(denom, (moved.get(denom) ?? 0n) + (kind === 'spent' ? -amount : amount))
  const grown = (denom: Denom) => amountIn(after, denom) - amountIn(before, denom)
  return {
    agree: [...moved].every(([denom, amount]) => grown(denom) === amount),
    grew: after
      .map(({ denom }) => ({ denom, amount: grown(denom) }))
      .filter(({ amount }) => amount > 0n),
  }
}

/** One coin per denom, in order of first occurrence. */
export const sumByDenom = (coins: readonly Coin[]): readonly Coin[] =>
  [...sumsOf(coins)].map(([denom, amount]) => ({ denom, amount }))

/** Coins minus others; denoms that reach zero or less are dropped. */
const less = (coins: readonly Coin[], others: readonly Coin[]): readonly Coin[] =>
  coins
    .map(({ denom, amount }) => ({ denom, amount: amount - amountIn(others, denom) }))
    .filter(({ amount }) => amount > 0n)

/** A fill as the journal stores it. */
export const fillRecord = (fill: Fill, { gasUsed, gasWanted }: IncludedTx): FillRecord => ({
  spent: fill.spent.map(coinDocument),
  returned: fill.returned.map(coinDocument),
  received: fill.received.map(String),
  ...(fill.paid && { paid: fill.paid.map((coins) => coins.map(coinDocument)) }),
  fee: fill.fee.map(coinDocument),
  left_behind: fill.leftBehind.map(coinDocument),
  router_grew: fill.routerGrew?.map(coinDocument) ?? null,
  verified: fill.verified,
  gas_used: `${gasUsed}`,
  gas_limit: `${gasWanted}`,
})

/** The fill that a record holds. */
export const fillIn = (record: FillRecord): Fill => ({
  spent: record.spent.map(coinFrom),
  returned: record.returned.map(coinFrom),
  received: record.received.map(BigInt),
  ...(record.paid && { paid: record.paid.map((coins) => coins.map(coinFrom)) }),
  fee: record.fee.map(coinFrom),
  leftBehind: record.left_behind.map(coinFrom),
  routerGrew: record.router_grew?.map(coinFrom) ?? null,
  verified: record.verified,
})
