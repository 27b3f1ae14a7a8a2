import { type Coin, ContractError, type Message } from '../modules/contract.js'
import { writeJson } from './serde.js'

/** The one coin that was attached. @throws ContractError in the words of cw-utils. */
export function oneCoin(funds: readonly Coin[]): Coin {
  const [coin, ...others] = funds
  if (coin === undefined) throw new ContractError('No funds sent')
  if (others.length > 0) throw new ContractError('Sent more than one denomination')
  return coin
}

/** The amount that was attached of the one denom that is taken. @throws ContractError */
export function mustPay(funds: readonly Coin[], denom: string): bigint {
  const coin = oneCoin(funds)
  if (coin.denom !== denom) throw new ContractError(`Must send reserve token '${denom}'`)
  return coin.amount
}

/**
 * Pays: a transfer, or with a callback an execution of the recipient that carries the coins and the
 * callback (base64).
 */
export const pay = (to: string, coins: readonly Coin[], callback: string | undefined): Message =>
  callback === undefined
    ? { kind: 'send', to, coins }
    : {
        kind: 'execute',
        contract: to,
        message: writeJson({
          // The contract has no data of its own for the callback: `{}` in base64.
          callback: { data: 'e30=', callback },
        }),
        funds: coins,
      }
