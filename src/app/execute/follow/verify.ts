import type { Coin, Denom } from '../../../market/token.js'
import type { Chain, Included } from '../ports.js'
import { tried } from './drive.js'

/** What a transaction has moved, in atomics. */
export type Fill = {
  /** What went out of the account with its messages, less what came back of it. */
  readonly spent: readonly Coin[]
  /** What came back of what was sold. */
  readonly returned: readonly Coin[]
  /** What the recipient was paid of the denom bought, message by message. */
  readonly received: readonly bigint[]
  readonly fee: readonly Coin[]
  /** What stayed in the router: whoever comes next may take it. */
  readonly leftBehind: readonly Coin[]
  /** Whether the events add up to the plan; whether the balances show the same, `null` if unknown. */
  readonly verified: { readonly events: boolean; readonly balances: boolean | null }
}

/** What is checked. `messages` are those of the transaction, in their order. */
export type Checked = {
  readonly address: string
  readonly recipient: string
  readonly contract: string
  readonly messages: readonly { readonly funds: Coin; readonly output: Denom }[]
}

/** Adds up what a transaction moved, from its events; then looks whether the balances show the same. */
export async function verify(chain: Chain, included: Included, checked: Checked): Promise<Fill> {
  const fill = fillOf(included, checked)
  const balances = await tried(() => balancesAgree(chain, included, checked))
  return { ...fill, verified: { events: eventsAgree(fill, checked), balances: balances ?? null } }
}

type Counted = Omit<Fill, 'verified'>

/** The same from the events alone. */
export function fillOf({ movements }: Included, checked: Checked): Counted {
  const { address, recipient, contract, messages } = checked
  const of = (account: string, kind: 'spent' | 'received', message?: number) =>
    movements
      .filter((each) => each.account === account && each.kind === kind)
      .filter((each) =>
        message === undefined ? each.message !== undefined : each.message === message,
      )
      .flatMap(({ coins }) => coins)
  const sold = new Set(messages.map(({ funds }) => funds.denom))
  const bought = new Set(messages.map(({ output }) => output))
  const out = summed(of(address, 'spent'))
  // In a circle what is bought is what was sold: nothing can be told apart as having come back.
  const back = summed(of(address, 'received')).filter(
    ({ denom }) => sold.has(denom) && !bought.has(denom),
  )
  const fees = movements.filter(
    ({ account, kind, message }) =>
      account === address && kind === 'spent' && message === undefined,
  )
  return {
    spent: less(out, back),
    returned: back,
    received: messages.map(({ output }, i) => amountIn(of(recipient, 'received', i), output)),
    fee: summed(fees.flatMap(({ coins }) => coins)),
    leftBehind: less(summed(of(contract, 'received')), summed(of(contract, 'spent'))),
  }
}

const eventsAgree = ({ spent, received }: Counted, { messages }: Checked): boolean =>
  received.every((amount) => amount > 0n) &&
  summed(messages.map(({ funds }) => funds)).every(
    ({ denom, amount }) => amountIn(spent, denom) === amount,
  )

/**
 * Whether the account's balances before and after the block differ by what the transaction moved.
 * Another transaction of the same block may have moved them too: then they say nothing of this one.
 */
async function balancesAgree(
  chain: Chain,
  { height, movements }: Included,
  { address }: Checked,
): Promise<boolean> {
  const [before, after] = await Promise.all([
    chain.balances(address, height - 1),
    chain.balances(address, height),
  ])
  const own = movements.filter(({ account }) => account === address)
  const changed = new Map<Denom, bigint>()
  for (const { kind, coins } of own)
    for (const { denom, amount } of coins)
      changed.set(denom, (changed.get(denom) ?? 0n) + (kind === 'spent' ? -amount : amount))
  return [...changed].every(
    ([denom, amount]) => amountIn(after, denom) - amountIn(before, denom) === amount,
  )
}

/** One coin for each denom, in the order met. */
export function summed(coins: readonly Coin[]): readonly Coin[] {
  const all = new Map<Denom, bigint>()
  for (const { denom, amount } of coins) all.set(denom, (all.get(denom) ?? 0n) + amount)
  return [...all].map(([denom, amount]) => ({ denom, amount }))
}

export const amountIn = (coins: readonly Coin[], denom: Denom): bigint =>
  coins.reduce((sum, coin) => (coin.denom === denom ? sum + coin.amount : sum), 0n)

/** What is left of coins after others went; nothing of a denom that is gone or overdrawn. */
const less = (coins: readonly Coin[], others: readonly Coin[]): readonly Coin[] =>
  coins
    .map(({ denom, amount }) => ({ denom, amount: amount - amountIn(others, denom) }))
    .filter(({ amount }) => amount > 0n)
