import { type Decimal, decimal, ONE } from '../../engine/math/decimal.js'
import type { BlockInjection, Chain } from '../blocks/chain.js'
import type { ChainOptions } from '../blocks/chain-options.js'
import type { FinConfig } from '../contracts/fin/config.js'
import { CONFIG_KEY } from '../contracts/fin/storage.js'
import { type Agent, agentsOf, moduleAccounts, type Role } from '../genesis/known-accounts.js'
import { MARKET_NOTES, type MarketNotes } from '../genesis/market-snapshot.js'
import { atomicsWorth } from '../market/draw.js'
import { driftOf } from '../market/oracles.js'
import { assetFacts } from '../market/pair-facts.js'
import { seededRandom } from '../market/random.js'
import { accountOf } from '../modules/accounts.js'
import { codeIdOf, contractInfo, contractsByCode } from '../modules/dispatch.js'
import type { Reader } from '../store/state.js'
import { requiredFee } from '../tx/fee.js'
import { signedTx } from '../tx/sign.js'
import {
  type Action,
  type AgentContext,
  happens,
  type KnownPair,
  type MarketContext,
} from './context.js'
import { provideLiquidity, quote } from './market-making.js'
import { isBusy } from './prices.js'
import { updateQuotes } from './quoting.js'
import { arbitrage, trade } from './trading.js'

/** Gas limit of agents: more than any of their actions uses. */
const GAS = 20_000_000n

/** The action of each role, and in how many of a thousand blocks an agent takes it. */
const strategies: Readonly<
  Record<
    Role,
    { readonly often: bigint; readonly act: (s: AgentContext, p: Agent) => Action | undefined }
  >
> = {
  trader: { often: 90n, act: trade },
  mover: { often: 1000n, act: updateQuotes },
  arbitrageur: { often: 200n, act: arbitrage },
  lender: { often: 15n, act: provideLiquidity },
  orders: { often: 60n, act: quote },
}

const roles = Object.keys(strategies) as Role[]

/**
 * The signed transactions of agents for the next block: some trade, some quote, some fail. They depend
 * only on the seed, the height and the state.
 */
export function agentTransactions(options: ChainOptions): BlockInjection['before'] {
  let market: MarketContext | undefined
  let born = 0
  return (chain) => {
    const state = options.life ? chain.stateAt(chain.height) : undefined
    if (!state) return []
    born ||= state.get<number>('demo', 'born') ?? chain.height
    market ??= marketContextOf(options, state)
    if (!market) return []
    const random = seededRandom(`life ${options.seed} ${chain.height}`)
    const machine = chain.machineAt(chain.height)
    const age = chain.height - born
    const worth = worthAt(options, age)
    const context: AgentContext = { ...market, state, machine, random, age, worth }
    return roles.flatMap((trade) =>
      context.people[trade].flatMap((agent) => {
        if (!happens(random, strategies[trade].often)) return []
        const action = strategies[trade].act(context, agent)
        return action ? [signed(chain, state, action)] : []
      }),
    )
  }
}

function marketContextOf({ prefix, seed }: ChainOptions, state: Reader): MarketContext | undefined {
  const notes = state.get<MarketNotes>(...MARKET_NOTES)
  if (!notes) return undefined
  const pairs = workingPairs(state)
  const pairsOf = new Map<string, KnownPair[]>()
  for (const pair of pairs)
    for (const denom of [pair.base, pair.quote])
      pairsOf.set(denom, [...(pairsOf.get(denom) ?? []), pair])
  return {
    notes,
    pairs,
    busy: pairs.filter(isBusy),
    pairsOf,
    people: agentsOf(prefix, seed),
    caller: moduleAccounts(prefix).caller,
  }
}

const workingPairs = (state: Reader): readonly KnownPair[] =>
  (['fin-1.0', 'fin-1.1'] as const)
    .flatMap((code) => contractsByCode(state, codeIdOf(code)))
    .flatMap((address) => {
      const config = state.get<FinConfig>(`wasm/${address}`, CONFIG_KEY)
      if (!config || contractInfo(state, address)?.halted !== undefined) return []
      const [base, quoted] = config.denoms
      return [{ address, base, quote: quoted, makers: config.makers }]
    })

/** Dollars that worths are computed with, because an atomic is worth much less than one. */
const THOUSAND = 1_000n
const MILLION = 1_000_000n

/** The worth of denoms at an age of the chain: the initial one and its drift. */
function worthAt({ seed }: ChainOptions, age: number): (denom: string) => Decimal {
  const known = new Map<string, Decimal>()
  return (denom) => {
    const present = known.get(denom)
    if (present !== undefined) return present
    const asset = assetFacts.find((each) => each.denom === denom)
    const atomics = asset ? atomicsWorth(asset, THOUSAND) : 0n
    // A pegged token drifts with its peg; the dollar does not drift.
    const label = asset?.peg ?? denom
    const drift = label === 'usd' ? 0n : driftOf(seed, label, age)
    const first = atomics === 0n ? 0n : (THOUSAND * ONE) / atomics
    const worth = decimal((first * (MILLION + drift)) / MILLION)
    known.set(denom, worth)
    return worth
  }
}

function signed(chain: Chain, state: Reader, { agent, messages }: Action): Uint8Array {
  const { chainId, gasPrice, feeDenom } = chain.options
  const account = accountOf(state, agent.address)
  if (!account) throw new Error(`${agent.name} has no account`)
  const amount = requiredFee(gasPrice, GAS)
  return signedTx({
    privateKey: agent.privateKey,
    chainId,
    accountNumber: account.number,
    sequence: account.sequence,
    fee: amount === 0n ? [] : [{ denom: feeDenom, amount }],
    gas: GAS,
    messages,
  })
}
