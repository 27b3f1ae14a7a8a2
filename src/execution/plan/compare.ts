import { sortedMessage } from '../../chain/tx/amino.js'
import type { Call, Draft } from '../../chain/tx/unsigned-tx.js'
import { SwapError } from '../../engine/errors.js'
import { type Coin, coinsText } from '../../engine/market/token.js'
import type { Decimal } from '../../engine/math/decimal.js'
import type { OrderEntry } from '../../engine/orders/order-message.js'
import type { PlannedOrder } from '../../operations/orders/order-preview.js'
import { toHex } from '../../platform/encoding.js'
import type { AccountState } from '../ports.js'
import type { Plan } from './plan.js'

/** The expected content of a transaction, derived from the plan and not by the code that encodes. */
export type ExpectedTx = {
  readonly chainId: string
  /** The texts of messages are rendered by other code than those that are signed. */
  readonly calls: readonly Call[]
  readonly address: string
  readonly publicKey: Uint8Array
  readonly accountState: Pick<AccountState, 'height' | 'accountNumber' | 'sequence'>
  readonly memo: string
  /** Blocks after the height of the account state. */
  readonly deadlineBlocks: number
  readonly maxGas: bigint
  readonly maxFee: readonly Coin[]
  readonly isAmino?: boolean
}

/** Differences between decoded bytes and the expected transaction, in words. */
export function differences(expectedTx: ExpectedTx, decoded: Draft): readonly string[] {
  const { calls, accountState, isAmino = false } = expectedTx
  const found: string[] = []
  const expect = (what: string, isRight: boolean, got: unknown) => {
    if (!isRight) found.push(`${what} is ${String(got).slice(0, 120)}`)
  }
  expect('the chain id', decoded.chainId === expectedTx.chainId, decoded.chainId)
  expect(
    'the sign mode',
    (decoded.isAmino ?? false) === isAmino,
    decoded.isAmino ? 'amino' : 'direct',
  )
  expect('the sender', decoded.sender === expectedTx.address, decoded.sender)
  const key = toHex(decoded.publicKey)
  expect('the key', key === toHex(expectedTx.publicKey), key)
  expect(
    'the account number',
    decoded.accountNumber === accountState.accountNumber,
    decoded.accountNumber,
  )
  expect('the sequence', decoded.sequence === accountState.sequence, decoded.sequence)
  expect('the memo', decoded.memo === expectedTx.memo, JSON.stringify(decoded.memo))
  const last = BigInt(accountState.height + expectedTx.deadlineBlocks)
  expect(
    'the timeout height',
    decoded.timeoutHeight === last,
    `${decoded.timeoutHeight}, and ${last} at most is expected`,
  )
  expect(
    'the gas limit',
    decoded.gasLimit > 0n && decoded.gasLimit <= expectedTx.maxGas,
    decoded.gasLimit,
  )
  expect('the fee', isWithin(decoded.fee, expectedTx.maxFee), coinsText(decoded.fee) || 'nothing')
  expect('the number of messages', decoded.calls.length === calls.length, decoded.calls.length)
  for (const [at, { contract, message, funds }] of calls.entries()) {
    const call = decoded.calls[at]
    if (call === undefined) continue
    const of = `of message ${at + 1}`
    expect(`the contract ${of}`, call.contract === contract, call.contract)
    const content = isAmino ? sortedMessage(message) : message
    expect(`the content ${of}`, call.message === content, call.message)
    expect(`the money ${of}`, isSame(call.funds, funds), coinsText(call.funds) || 'nothing')
  }
  return found
}

/** Refuses to sign bytes that differ from the plan: a defect of this program. */
export function requireAsPlanned(expectedTx: ExpectedTx, decoded: Draft): void {
  const found = differences(expectedTx, decoded)
  if (found.length === 0) return
  throw new SwapError('INTERNAL', 'the transaction differs from the plan', {
    why: found.join('; '),
    hint: 'nothing was signed; report it',
  })
}

const isSame = (coins: readonly Coin[], others: readonly Coin[]): boolean =>
  coins.length === others.length &&
  coins.every(({ denom, amount }, i) => denom === others[i]!.denom && amount === others[i]!.amount)

/** Whether a fee is at most these amounts, in no other denom. */
const isWithin = (fee: readonly Coin[], most: readonly Coin[]): boolean =>
  fee.every(({ denom, amount }) =>
    most.some((coin) => coin.denom === denom && amount <= coin.amount),
  ) && new Set(fee.map(({ denom }) => denom)).size === fee.length

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

/** A price as a decimal without trailing zeros. */
function decimalText(value: Decimal): string {
  const digits = `${value}`.padStart(19, '0')
  const [whole, part] = [digits.slice(0, -18), digits.slice(-18).replace(/0+$/, '')]
  return part === '' ? whole : `${whole}.${part}`
}
