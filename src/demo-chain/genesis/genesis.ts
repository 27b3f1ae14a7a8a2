import { type Decimal, decimal, parseDecimal } from '../../engine/math/decimal.js'
import type { ChainOptions } from '../blocks/chain-options.js'
import { bowGenesis } from '../contracts/bow/bow-contract.js'
import { ORACLE_SPACE } from '../contracts/fin/config.js'
import { finGenesis } from '../contracts/fin/fin-genesis.js'
import { routerGenesis } from '../contracts/router/router-state.js'
import { type DemoDocument, type DemoMaker, type DemoPair, faultOf } from '../market/document.js'
import { FIRST_HEIGHT, oraclePrices, oraclesOf } from '../market/oracles.js'
import { drawBetween, seededRandom } from '../market/random.js'
import { touchAccount } from '../modules/accounts.js'
import { addressBytes, encodeBech32 } from '../modules/addresses.js'
import { balanceOf, METADATA, SUPPLY, setBalance, type TokenMetadata } from '../modules/bank.js'
import type { Coin } from '../modules/contract.js'
import { type CodeName, putContract, storageSpace } from '../modules/dispatch.js'
import { type Change, Overlay } from '../store/state.js'
import { Store } from '../store/store.js'
import {
  type Agent,
  agentsOf,
  faucetAddress,
  guestAddress,
  moduleAccounts,
} from './known-accounts.js'
import { MARKET_NOTES, type MarketNotes } from './market-snapshot.js'

/** Builds a chain's first state and counts the supply of each denom. */
class GenesisBuilder {
  readonly state = new Overlay(new Store(0, 1).at(0))
  readonly #supply = new Map<string, bigint>()
  #created = 0

  constructor(
    readonly height: number,
    readonly deployer: string,
  ) {}

  give(address: string, coins: Iterable<Coin>): void {
    touchAccount(this.state, address)
    for (const { denom, amount } of coins) {
      const held = balanceOf(this.state, address, denom)
      setBalance(this.state, address, { denom, amount: held + amount })
      this.#supply.set(denom, (this.#supply.get(denom) ?? 0n) + amount)
    }
  }

  /** A contract with its storage and its coins. */
  create(
    address: string,
    contract: {
      readonly code: CodeName
      readonly label: string
      readonly message: object
      readonly halted?: string
    },
    storage: Iterable<readonly [key: string, value: unknown]>,
    coins: Iterable<Coin>,
  ): void {
    putContract(this.state, address, {
      code: contract.code,
      label: contract.label,
      creator: this.deployer,
      admin: this.deployer,
      height: this.height,
      txIndex: this.#created++,
      message: JSON.stringify(contract.message),
      ...(contract.halted !== undefined && { halted: contract.halted }),
    })
    for (const [key, value] of storage) this.state.set(storageSpace(address), key, value)
    this.give(address, coins)
  }

  /** All changes, including the supply of each denom. */
  close(): readonly Change[] {
    for (const [denom, amount] of this.#supply) this.state.set(SUPPLY, denom, amount)
    return [...this.state.changes()]
  }
}

/** Initial balances of an agent and of the faucet in every token: atomics of eight decimals. */
const AGENT_BALANCE = 10n ** 15n
const FAUCET_BALANCE = 10n ** 18n

/**
 * The first state of a chain: the document's market as contracts with their storage and coins, and balances of the
 * agents and the faucet. Pools of the document become orders of agents, makers become contracts, and addresses get the
 * chain's prefix.
 */
export function genesisOf(options: ChainOptions, document: DemoDocument): readonly Change[] {
  const { prefix, seed } = options
  const accounts = moduleAccounts(prefix)
  const builder = new GenesisBuilder(document.height, accounts.deployer)
  const agents = agentsOf(prefix, seed)
  const everything = (amount: bigint) => document.tokens.map(({ denom }) => ({ denom, amount }))
  builder.give(faucetAddress(prefix), everything(FAUCET_BALANCE))
  for (const agent of Object.values(agents).flat())
    builder.give(agent.address, everything(AGENT_BALANCE))
  for (const address of [accounts.deployer, accounts.revenue, accounts.collector])
    builder.give(address, [])
  for (const pair of document.pairs)
    createPair(builder, options, { owners: agents.orders, revenue: accounts.revenue }, pair)
  createRouter(builder, options, document)
  // Last, so that all other account numbers stay the same.
  builder.give(guestAddress(prefix), everything(AGENT_BALANCE))
  note(builder, options, document)
  if (options.oracles)
    for (const [key, price] of oraclePrices(seed, 0)) builder.state.set(ORACLE_SPACE, key, price)
  return builder.close()
}

/** An address with the chain's prefix. */
const withPrefix = (prefix: string, address: string): string =>
  encodeBech32(prefix, addressBytes(address))

const decimalIn = (text: string): Decimal => {
  const value = parseDecimal(text)
  if (value === undefined) throw new Error(`${text} is not a decimal`)
  return value
}

function createPair(
  builder: GenesisBuilder,
  { prefix, seed, oracles }: ChainOptions,
  { owners, revenue }: { readonly owners: readonly Agent[]; readonly revenue: string },
  pair: DemoPair,
): void {
  const address = withPrefix(prefix, pair.address)
  const makers = pair.makers.map((maker) => createMaker(builder, prefix, maker))
  const halted = faultOf(pair)
  const code = pair.fin_version.startsWith('1.0') ? 'fin-1.0' : 'fin-1.1'
  const config = {
    denoms: [pair.base, pair.quote] as const,
    tick: pair.tick,
    feeTaker: halted === undefined ? decimalIn(pair.fee_taker) : decimal(0n),
    feeMaker: decimalIn(pair.fee_maker),
    feeAddress: revenue,
    makers,
    oracles: oracles === true ? oraclesOf(pair.base, pair.quote) : pair.oracles,
    version: code === 'fin-1.0' ? ('1.0' as const) : ('1.1' as const),
  }
  builder.create(
    address,
    {
      code,
      label: `rujira-fin:${pair.base}:${pair.quote}`,
      message: { denoms: config.denoms, tick: pair.tick },
      ...(halted !== undefined && { halted }),
    },
    finGenesis(config, [...ordersOf(owners, seed, pair)]),
    [
      { denom: pair.base, amount: BigInt(pair.balances.base) },
      { denom: pair.quote, amount: BigInt(pair.balances.quote) },
    ],
  )
}

/** A document's pools as the orders of one to three agents each. */
function* ordersOf(owners: readonly Agent[], seed: number, { address, pools }: DemoPair) {
  const random = seededRandom(`orders ${seed} ${address}`)
  for (const side of ['base', 'quote'] as const)
    for (const { price, total } of pools[side]) {
      let left = BigInt(total)
      const first = Number(drawBetween(random, [0n, BigInt(owners.length - 1)]))
      const count = Number(drawBetween(random, [1n, 3n]))
      for (let at = 0; at < count && left > 0n; at++) {
        const share = (left * drawBetween(random, [30n, 70n])) / 100n
        const offer = at === count - 1 || share === 0n ? left : share
        left -= offer
        const owner = owners[(first + at) % owners.length]?.address ?? ''
        yield { owner, side, price: { fixed: decimalIn(price) }, offer }
      }
    }
}

function createMaker(builder: GenesisBuilder, prefix: string, maker: DemoMaker): string {
  const address = withPrefix(prefix, maker.address)
  const [config, state] = maker.strategy.xyk
  const made = bowGenesis(
    {
      x: config.x,
      y: config.y,
      step: decimalIn(config.step),
      minQuote: BigInt(config.min_quote),
      fee: decimalIn(config.fee),
    },
    { x: BigInt(state.x), y: BigInt(state.y), shares: BigInt(state.shares) },
  )
  builder.create(
    address,
    { code: 'bow', label: `rujira-bow:${config.x}:${config.y}`, message: { xyk: config } },
    made.storage,
    made.balances,
  )
  builder.give(faucetAddress(prefix), [made.shares])
  return address
}

const routerCode = ({ dialect, routerBuild }: ChainOptions): CodeName =>
  routerBuild === 'published' ? `router-${dialect}-published` : `router-${dialect}`

function createRouter(
  builder: GenesisBuilder,
  options: ChainOptions,
  { router }: DemoDocument,
): void {
  const accounts = moduleAccounts(options.prefix)
  const config = {
    fee_collector: accounts.collector,
    fee_bps: router.fee_bps,
    max_affiliate_fee_bps: 500,
  }
  const affiliates = Object.entries(router.affiliates).map(([code, affiliate]) => ({
    affiliate_code: code,
    referral_fee_share_bps: affiliate.referral_fee_share_bps,
    affiliate_fee_bps: affiliate.affiliate_fee_bps,
    referral_payment_address: accounts.partner(code),
    affiliate_payment_address: accounts.partner(code),
  }))
  for (const code of Object.keys(router.affiliates)) builder.give(accounts.partner(code), [])
  builder.create(
    withPrefix(options.prefix, router.address),
    { code: routerCode(options), label: 'liquidy-swap', message: config },
    routerGenesis(config, affiliates),
    [],
  )
  builder.create(
    accounts.caller,
    { code: 'caller', label: 'third-party-caller', message: {} },
    [],
    [],
  )
}

function note(builder: GenesisBuilder, options: ChainOptions, document: DemoDocument): void {
  const notes: MarketNotes = {
    network: document.network,
    tokens: document.tokens,
    usd: document.usd,
    arbs: document.arbs,
    router: withPrefix(options.prefix, document.router.address),
    dialect: options.dialect,
    affiliates: Object.keys(document.router.affiliates),
  }
  builder.state.set(...MARKET_NOTES, notes)
  builder.state.set(...FIRST_HEIGHT, document.height)
  for (const token of document.tokens)
    builder.state.set(METADATA, token.denom, {
      symbol: token.symbol,
      name: token.name,
      decimals: token.decimals,
      display: token.symbol.toLowerCase(),
    } satisfies TokenMetadata)
}
