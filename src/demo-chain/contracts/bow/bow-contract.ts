import { passedXykLevel, passXykLevel, xykCursor } from '../../../engine/market/venues/xyk.js'
import { formatDecimal, MAX_UINT128 } from '../../../engine/math/decimal.js'
import { attempt } from '../../../platform/attempt.js'
import { keptWith } from '../../../platform/memoize.js'
import { sortedCoins } from '../../modules/bank.js'
import {
  type Contract,
  ContractError,
  type ContractEvent,
  coinsText,
  type ExecuteCall,
  type QueryCall,
  type Response,
  versionEntry,
} from '../../modules/contract.js'
import { GAS } from '../../modules/gas.js'
import { mustPay, oneCoin, pay, requireAddress } from '../payment.js'
import { asBinary, type Fields, fieldsOf, parseVariant, read, writeJson } from '../serde.js'
import {
  afterDeposit,
  type BowConfig,
  type BowState,
  fill,
  makerOf,
  mintedShares,
  redeem,
  wireConfig,
  wireState,
} from './pool.js'

/** Storage keys of the configuration and of the reserves. */
const CONFIG = 'config'
const STATE = 'strategy-xyk'

/** The token of a pool's shares. */
export const lpDenom = ({ x, y }: Pick<BowConfig, 'x' | 'y'>): string => `x/bow-xyk-${x}-${y}`

const EXECUTE = 'rujira_rs::interfaces::bow::interface::ExecuteMsg'
const QUERY = 'rujira_rs::interfaces::bow::interface::QueryMsg'

/**
 * The constant-product maker (docs/venues.md#bow-constant-product-makers). Its shares are coins in its
 * own account until they are paid for a deposit: contracts of this chain cannot mint. Version 1.0 emits no events.
 */
export const bowContract = (version: '1.0' | '1.1'): Contract => ({
  execute(call, message) {
    const done = run(call, message)
    return version === '1.0' ? { ...done, events: [] } : done
  },
  query(call, message) {
    const [config, state] = load(call)
    const known = answersOf(state)
    const answer = known.get(message) ?? answerOf(config, state, message)
    known.set(message, answer)
    return answer
  },
  raw: (key, value) => Buffer.from(writeJson(storedForm(key, value))),
})

function run(call: ExecuteCall, message: string): Response {
  const { variant, body } = parseVariant(EXECUTE, message, ['swap', 'deposit', 'withdraw'])
  const fields = fieldsOf(EXECUTE, body)
  if (variant === 'swap') return swap(call, fields)
  return variant === 'deposit' ? deposit(call, fields) : withdraw(call, fields)
}

/**
 * Cache of answers by reserves: each block queries the levels of all books, and few reserves change in a block. The
 * configuration never changes.
 */
const answersOf = keptWith((_: BowState) => new Map<string, string>())

function answerOf(config: BowConfig, state: BowState, message: string): string {
  const { variant, body } = parseVariant(QUERY, message, ['strategy', 'quote'])
  const fields = fieldsOf(QUERY, body)
  return variant === 'strategy'
    ? writeJson({ xyk: [wireConfig(config), wireState(state)] })
    : writeJson(quote(config, state, fields))
}

/** A value in the storage format of the real contract. */
function storedForm(key: string, value: unknown): unknown {
  if (key === CONFIG) return { strategy: { xyk: wireConfig(value as BowConfig) } }
  if (key !== STATE) return value
  const { x, y, shares } = value as BowState
  return [x, y, shares]
}

function load({
  storage,
  gas,
}: Pick<QueryCall, 'storage' | 'gas'>): readonly [BowConfig, BowState] {
  gas.charge(2n * GAS.read, 'ReadFlat')
  const config = storage.get<BowConfig>(CONFIG)
  if (config === undefined)
    throw new ContractError('type: rujira_bow::config::Config; key: config not found')
  return [config, storage.get<BowState>(STATE) ?? { x: 0n, y: 0n, shares: 0n }]
}

/**
 * The next level for a taker. `data` is the state after the previous level, already oriented to the taker, so that the
 * denoms are ignored.
 */
function quote(config: BowConfig, state: BowState, fields: Fields): unknown {
  fields.optional('min_price', read.decimal)
  const offered = fields.text('offer_denom')
  fields.text('ask_denom')
  const data = fields.optional('data', read.binary)
  const turned = offered === config.y ? { ...state, x: state.y, y: state.x } : state
  const from = data === undefined ? turned : parseState(data)
  const cursor = xykCursor(makerOf(config, from), config.x)
  if (!passXykLevel(cursor)) return null
  const level = passedXykLevel(cursor)
  return {
    price: formatDecimal(level.price),
    size: level.size,
    data: asBinary(wireState({ ...from, x: cursor.x, y: cursor.y })),
  }
}

const STATE_TYPE = 'rujira_rs::interfaces::bow::xyk::XykState'

function parseState(data: Uint8Array): BowState {
  const parsed: unknown = attempt(() => JSON.parse(Buffer.from(data).toString()))
  const fields = fieldsOf(STATE_TYPE, parsed)
  return { x: fields.uint128('x'), y: fields.uint128('y'), shares: fields.uint128('shares') }
}

function swap(call: ExecuteCall, fields: Fields): Response {
  const ask = fields.coin('min_return')
  const to = fields.optional('to', read.text)
  const callback = fields.optional('callback', read.base64)
  const [config, state] = load(call)
  const offer = oneCoin(call.funds)
  const { after, fee, surplus } = fill(config, state, offer, ask)
  const recipient = to ?? call.sender
  requireAddress(call, recipient)
  call.storage.set(STATE, after)
  const event = eventOf('swap', {
    offer: coinsText([offer]),
    ask: coinsText([ask]),
    fee: `${fee}${ask.denom}`,
    surplus: `${surplus}${ask.denom}`,
  })
  return { messages: [pay(recipient, [ask], callback)], events: [event] }
}

function deposit(call: ExecuteCall, fields: Fields): Response {
  const least = fields.optional('min_return', read.uint128)
  const callback = fields.optional('callback', read.base64)
  const [config, state] = load(call)
  const paid = (denom: string) => call.funds.find((coin) => coin.denom === denom)?.amount ?? 0n
  const [x, y] = [paid(config.x), paid(config.y)]
  const minted = mintedShares(config, state, x, y)
  call.storage.set(STATE, afterDeposit(state, x, y, minted))
  if (least !== undefined && minted < least) throw new ContractError('InsufficientFunds')
  const share = { denom: lpDenom(config), amount: minted }
  return {
    messages: [pay(call.sender, [share], callback)],
    events: [eventOf('deposit', { owner: call.sender, minted: coinsText([share]) })],
  }
}

function withdraw(call: ExecuteCall, fields: Fields): Response {
  const callback = fields.optional('callback', read.base64)
  const [config, state] = load(call)
  const share = { denom: lpDenom(config), amount: mustPay(call.funds, lpDenom(config)) }
  const { x, y, after } = redeem(state, share.amount)
  call.storage.set(STATE, after)
  const coins = sortedCoins([
    { denom: config.x, amount: x },
    { denom: config.y, amount: y },
  ])
  return {
    messages: [pay(call.sender, coins, callback)],
    events: [eventOf('withdraw', { owner: call.sender, share: coinsText([share]) })],
  }
}

const eventOf = (name: string, attributes: Readonly<Record<string, string>>): ContractEvent => ({
  type: `rujira-bow/${name}`,
  attributes: Object.entries(attributes),
})

/** The initial state of a maker. */
export const bowGenesis = (config: BowConfig, state: BowState) => ({
  /** Keys and values of the contract's own storage. */
  storage: [versionEntry('rujira-bow', '1.1.0'), [CONFIG, config], [STATE, state]] as const,
  /** Its balances: the reserves, and all shares that are not issued yet. */
  balances: [
    { denom: config.x, amount: state.x },
    { denom: config.y, amount: state.y },
    { denom: lpDenom(config), amount: MAX_UINT128 - state.shares },
  ],
  /** The shares issued from the start. */
  shares: { denom: lpDenom(config), amount: state.shares },
})
