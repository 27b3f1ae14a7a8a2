import type { Coin } from '../../engine/market/token.js'
import { type Ask, requireAnswer, Unreadable } from './query-batch.js'
import { balances, type Page } from './questions.js'

/** More coins than an account holds; a page has a hundred. */
const MOST = 20_000

/**
 * Everything that an account holds, in the order of the bank.
 *
 * @param what what is read, for the error
 * @throws Unreadable where the node refuses, or its list has no end
 */
export async function heldCoins(ask: Ask, address: string, what: string): Promise<readonly Coin[]> {
  const coins: Coin[] = []
  for (let key: Uint8Array | undefined = new Uint8Array(); key !== undefined; ) {
    const page: Page<Coin> = requireAnswer(await ask(balances(address, key)), what)
    if (coins.length + page.items.length > MOST)
      throw new Unreadable(`${what} are more than ${MOST} coins`)
    coins.push(...page.items)
    key = page.items.length === 0 ? undefined : page.next
  }
  return coins
}
