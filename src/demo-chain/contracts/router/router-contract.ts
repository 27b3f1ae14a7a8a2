import { failures } from '../../modules/chain-failure.js'
import {
  type Coin,
  type Contract,
  ContractError,
  type ContractEvent,
  type ExecuteCall,
  type Message,
  type QueryCall,
  type Response,
  wireCoin,
} from '../../modules/contract.js'
import { pay } from '../payment.js'
import { fieldsOf, parseVariant, read, writeJson } from '../serde.js'
import {
  type Dialect,
  type Reading,
  readSwap,
  type Stage,
  type SwapMessage,
  stageReader,
  stagesOf,
  writeSwap,
} from './message.js'
import {
  affiliateOf,
  affiliatesOf,
  configOf,
  divide,
  less,
  platformFee,
  type RouterAffiliate,
  type RouterBuild,
  type Shares,
} from './router-state.js'

const EXECUTE = 'liquidy_rs::interfaces::swap::ExecuteMsg'
const QUERY = 'liquidy_rs::interfaces::swap::QueryMsg'

/**
 * The router: each hop sells the contract's whole balance of a denom on a pair, then its whole balance
 * of the output denom is divided (docs/venues.md#router-execution). Coins that a pair returns stay in the contract
 * until the next swap of that denom.
 */
export function routerContract(dialect: Dialect, build: RouterBuild = 'source'): Contract {
  const reading = stageReader(dialect)
  return {
    execute(call, message) {
      configOf(call)
      const { body } = parseVariant(EXECUTE, message, ['swap'])
      const swap = readSwap(fieldsOf(EXECUTE, body))
      return hop(call, swap, reading) ?? payOut(call, swap, build)
    },
    query(call, message) {
      const config = configOf(call)
      const variants = ['config', 'simulate', 'affiliates', 'affiliate']
      const { variant, body } = parseVariant(QUERY, message, variants)
      const fields = fieldsOf(QUERY, body)
      if (variant === 'config') return writeJson(config)
      if (variant === 'simulate')
        return writeJson(simulate(call, fields.coin('coin'), stagesOf(fields), reading))
      if (variant === 'affiliate') {
        const code = fields.text('affiliate_code')
        const affiliate = affiliateOf(call, code)
        if (affiliate === undefined) throw new ContractError(`Invalid: ${code}`)
        return writeJson({ affiliate })
      }
      const limit = fields.optional('limit', read.u8) ?? 100
      const after = fields.optional('start_after', read.text)
      return writeJson({ affiliates: affiliatesOf(call, limit, after) })
    },
  }
}

/** The next hop, then the rest of the route as a message to the router itself. */
function hop(call: ExecuteCall, swap: SwapMessage, reading: Reading): Response | undefined {
  const next = reading.next(swap, call.funds)
  if (next === undefined) return undefined
  const amount = call.querier.balance(call.env.contract, next.offered)
  if (amount === 0n) throw new ContractError('No balance')
  const rest = {
    ...swap,
    ...next.rest,
    recipient: swap.recipient ?? call.sender,
    inputCoin: swap.inputCoin ?? call.funds[0],
  }
  return {
    events: [],
    messages: [
      {
        kind: 'execute',
        contract: next.pair,
        message: writeJson({ swap: { min_return: null, to: null, callback: null } }),
        funds: [{ denom: next.offered, amount }],
      },
      { kind: 'execute', contract: call.env.contract, message: writeSwap(rest), funds: [] },
    ],
  }
}

/**
 * Divides the whole balance of the output denom.
 *
 * @throws ContractError `Cannot Sub with given operands`, `Invalid return amount X expected Y`,
 *   `Invalid: recipient not set`
 * @throws ChainFailure if the recipient is not an address: the chain refuses the transfer
 */
function payOut(call: ExecuteCall, swap: SwapMessage, build: RouterBuild): Response {
  const { denom, amount: least } = swap.minReturn
  const gross = call.querier.balance(call.env.contract, denom)
  const config = configOf(call)
  const affiliate =
    swap.affiliateCode === undefined ? undefined : affiliateOf(call, swap.affiliateCode)
  const shares = divide(config, affiliate, gross, build)
  if (shares.user < least)
    throw new ContractError(`Invalid return amount ${shares.user} expected ${least}`)
  const { recipient } = swap
  if (recipient === undefined) throw new ContractError('Invalid: recipient not set')
  if (swap.callback === undefined) {
    const invalid = call.querier.invalid(recipient)
    if (invalid !== undefined) throw failures.invalidAddress(`invalid to address: ${invalid}`)
  }
  const coins = (amount: bigint): readonly Coin[] => [{ denom, amount }]
  return {
    events: events(swap, gross, { shares, build }, recipient, swap.inputCoin ?? call.funds[0]),
    messages: [
      pay(recipient, coins(shares.user), swap.callback),
      ...fees(config.fee_collector, affiliate, shares)
        .filter(({ amount }) => amount > 0n)
        .map(({ to, amount }): Message => ({ kind: 'send', to, coins: coins(amount) })),
    ],
  }
}

const fees = (collector: string, affiliate: RouterAffiliate | undefined, shares: Shares) => [
  { to: collector, amount: shares.platform },
  { to: affiliate?.referral_payment_address ?? '', amount: shares.referral },
  { to: affiliate?.affiliate_payment_address ?? '', amount: shares.affiliate },
]

/**
 * The events of a swap, with any affiliate code, registered or not. Without an input, and in the published build, there
 * is no `swap` event (docs/chain.md#router-events).
 */
function events(
  swap: SwapMessage,
  gross: bigint,
  { shares, build }: { readonly shares: Shares; readonly build: RouterBuild },
  recipient: string,
  input: Coin | undefined,
): readonly ContractEvent[] {
  const { denom } = swap.minReturn
  const execute: ContractEvent = {
    type: build === 'published' ? 'liquidy-swap-execute' : 'liquidy-swap/execute',
    attributes: [
      ['denom', denom],
      ['volume', `${gross}`],
      ['platform_fee', `${shares.platform}`],
      ['affiliate', swap.affiliateCode ?? ''],
      ['referral_fee', `${shares.referral}`],
      ['affiliate_fee', `${shares.affiliate}`],
    ],
  }
  if (input === undefined || build === 'published') return [execute]
  return [
    execute,
    {
      type: 'liquidy-swap/swap',
      attributes: [
        ['recipient', recipient],
        ['input_amount', `${input.amount}`],
        ['input_denom', input.denom],
        ['output_amount', `${shares.user}`],
        ['output_denom', denom],
      ],
    },
  ]
}

/**
 * Chains the simulations of the pairs. The denom of the first hop is that of the coin; coins that a pair would return
 * and the affiliate's fee are ignored.
 */
function simulate(call: QueryCall, coin: Coin, stages: readonly Stage[], reading: Reading) {
  let offer = coin
  for (const { pair, following } of reading.order(stages)) {
    const answer = call.querier.smart(pair, { simulate: wireCoin(offer) })
    offer = { denom: following, amount: fieldsOf(SIMULATION, answer).uint128('returned') }
  }
  const fee = platformFee(configOf(call), offer.amount)
  return { returned: less(offer.amount, fee), fee }
}

const SIMULATION = 'rujira_rs::interfaces::fin::query::SimulationResponse'
