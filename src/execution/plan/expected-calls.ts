import type { Call } from '../../chain/tx/unsigned-tx.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { OrderEntry } from '../../engine/orders/order-message.js'
import type { PlannedOrder } from '../../operations/orders/order-preview.js'
import type { Plan } from './plan.js'

/** The calls of some legs of a plan; texts are rendered independently of `messageOf`. */
export const expectedSwaps = (
  plan: Plan,
  legs: readonly number[],
  signer: string,
): readonly Call[] =>
  legs.map((index) => {
    const { route, pairs, least, output, funds } = plan.legs[index]!
    const { dialect } = plan.market.router
    const stages = pairs.map((address, i) => ({
      address,
      denom: dialect === 'stack' ? route.denoms[i] : route.denoms[i + 1],
    }))
    if (dialect === 'stack') stages.reverse()
    const message = JSON.stringify({
      swap: {
        stages,
        min_return: { denom: output, amount: `${least}` },
        ...(plan.recipient !== signer && { recipient: plan.recipient }),
        ...(plan.affiliate !== undefined && { affiliate_code: plan.affiliate }),
      },
    })
    return { contract: plan.contract, message, funds: [funds] }
  })

/** The calls of order messages; texts are rendered independently of `orderMessage`. */
export const expectedOrders = (orders: readonly PlannedOrder[]): readonly Call[] =>
  orders.map(({ pair, plan: { entries, preview } }) => ({
    contract: pair.address,
    message: `{"order":[[${entries.map(entryText).join(',')}],null]}`,
    funds: preview.funds,
  }))

function entryText({ side, price, target }: OrderEntry): string {
  const wanted =
    'fixed' in price ? `{"fixed":"${decimalText(price.fixed)}"}` : `{"oracle":${price.bps}}`
  return `["${side === 'bid' ? 'quote' : 'base'}",${wanted},${target === undefined ? 'null' : `"${target}"`}]`
}

/** Digits of 10^18 without trailing zeros. */
function decimalText(value: Decimal): string {
  const digits = `${value}`.padStart(19, '0')
  const [whole, part] = [digits.slice(0, -18), digits.slice(-18).replace(/0+$/, '')]
  return part === '' ? whole : `${whole}.${part}`
}
