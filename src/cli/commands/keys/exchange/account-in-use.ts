import { SwapError } from '../../../../engine/errors.js'
import { accountOf, type PublicAccount } from '../../../../wallet/make.js'
import type { Secret } from '../../../../wallet/secret.js'
import type { Context } from '../../../command.js'
import { coinTypePath } from '../hd-path.js'

/** Coin types under which wallets have derived accounts of Cosmos chains: THORChain's, Cosmos', Ethereum's. */
const COIN_TYPES = [931, 118, 60]

/**
 * The account of a mnemonic nobody has said the path of: at `usual`, unless the chain shows that
 * nothing is there and something is at another usual path. Whatever was found out is said; a chain
 * that cannot be asked decides nothing.
 */
export async function accountInUse(
  context: Context,
  secret: Secret,
  usual: string,
): Promise<PublicAccount> {
  const { config, out } = context
  const { prefix } = config.network
  const at = (hdPath: string) => accountOf(secret, { hdPath, prefix })
  const first = await at(usual)
  const others = COIN_TYPES.map(coinTypePath).filter((path) => path !== usual)
  try {
    if (await holds(context, first)) return first
    const used: PublicAccount[] = []
    for (const path of others) {
      const account = await at(path)
      if (await holds(context, account)) used.push(account)
    }
    const [other, ...more] = used
    if (other === undefined) {
      out.note(`nothing is held at ${usual} yet, nor at ${others.join(' or ')}`)
      return first
    }
    const also = more.map(({ address, hdPath }) => `; coins are also at ${hdPath} (${address})`)
    out.note(
      `nothing is at the usual path ${usual} (${first.address}), and coins are at ${other.hdPath}, so that is taken${also.join('')}; choose by --hd-path`,
    )
    return other
  } catch (error) {
    if (!(error instanceof SwapError)) throw error
    out.note(
      `whether coins are at ${usual} or at another path could not be asked: ${error.message}`,
    )
    return first
  }
}

async function holds({ app }: Context, { address }: PublicAccount): Promise<boolean> {
  const { requireChain } = await import('../../../../operations/require-chain.js')
  const chain = await requireChain(app, 'keys import')
  const { market } = await app.openMarket()
  return (await chain.balances(address, market.height)).length > 0
}
