import { type Coin, ContractError, type Message, type QueryCall } from '../modules/contract.js'
import { writeJson } from './serde.js'

/** The one attached coin. @throws ContractError with the text of cw-utils */
export function oneCoin(funds: readonly Coin[]): Coin {
  const [coin, ...others] = funds
  if (coin === undefined) throw new ContractError('No funds sent')
  if (others.length > 0) throw new ContractError('Sent more than one denomination')
  return coin
}

/** The attached amount of the only accepted denom. @throws ContractError */
export function mustPay(funds: readonly Coin[], denom: string): bigint {
  const coin = oneCoin(funds)
  if (coin.denom !== denom) throw new ContractError(`Must send reserve token '${denom}'`)
  return coin.amount
}

/** @throws ContractError for a text that is no address of the chain */
export function requireAddress({ querier }: QueryCall, text: string): void {
  const why = querier.invalid(text)
  if (why !== undefined) throw new ContractError(`Generic error: addr_validate errored: ${why}`)
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
          // The contract adds no data to the callback: `{}` in base64.
          callback: { data: 'e30=', callback },
        }),
        funds: coins,
      }
