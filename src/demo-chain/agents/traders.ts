import { type Decimal, decimal, ONE } from '../../engine/math/decimal.js'
import { append } from '../../engine/math/grouped.js'
import { type BlockInjection, newestState } from '../blocks/chain.js'
import type { ChainOptions } from '../blocks/chain-options.js'
import { CONFIG_KEY, type FinConfig } from '../contracts/fin/config.js'
import { type Agent, agentsOf, moduleAccounts, type Role } from '../genesis/known-accounts.js'
import { marketNotes } from '../genesis/market-snapshot.js'
import { atomicsWorth, movedBy } from '../market/draw.js'
import { ageAt, driftOf } from '../market/oracles.js'
import { assetFacts } from '../market/pair-facts.js'
import { seededRandom } from '../market/random.js'
import { contractInfo, pairContracts, storageOf } from '../modules/dispatch.js'
import type { Reader } from '../store/state.js'
import { accountTx } from '../tx/sign.js'
import {
  type Action,
  type AgentContext,
  type KnownPair,
  type MarketContext,
  randomBoolean,
} from './context.js'
import { provideLiquidity, quote } from './market-making.js'
import { isBusy } from './prices.js'
import { updateQuotes } from './quoting.js'
import { arbitrage, trade } from './trading.js'

/** Gas limit of agents: more than any of their actions uses. */
const GAS = 20_000_000n

/** The action of each role, and its frequency per thousand blocks. */
const strategies: Readonly<
  Record<
    Role,
    {
      readonly often: bigint
      readonly act: (context: AgentContext, agent: Agent) => Action | undefined
    }
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
 * The signed transactions of agents for the next block, some of which fail. They depend only on the seed, the height
 * and the state.
 */
export function agentTransactions(options: ChainOptions): BlockInjection['before'] {
  let market: MarketContext | undefined
  return (chain) => {
    if (!options.life) return []
    const state = newestState(chain)
    market ??= marketContextOf(options, state)
    const random = seededRandom(`life ${options.seed} ${chain.height}`)
    const machine = chain.machineAt(chain.height)
    const age = ageAt(state, chain.height)
    const worth = worthAt(options, age)
    const context: AgentContext = { ...market, state, machine, random, age, worth }
    return roles.flatMap((role) =>
      context.agents[role].flatMap((agent) => {
        if (!randomBoolean(random, strategies[role].often)) return []
        const action = strategies[role].act(context, agent)
        return action
          ? [accountTx(options, state, action.agent, { gas: GAS, messages: action.messages })]
          : []
      }),
    )
  }
}

function marketContextOf({ prefix, seed }: ChainOptions, state: Reader): MarketContext {
  const pairs = workingPairs(state)
  const pairsOf = new Map<string, KnownPair[]>()
  for (const pair of pairs)
    for (const denom of [pair.base, pair.quote]) append(pairsOf, denom, pair)
  return {
    notes: marketNotes(state),
    pairs,
    busy: pairs.filter(isBusy),
    pairsOf,
    agents: agentsOf(prefix, seed),
    caller: moduleAccounts(prefix).caller,
  }
}

const workingPairs = (state: Reader): readonly KnownPair[] =>
  pairContracts(state).flatMap((address) => {
    const config = storageOf(state, address).get<FinConfig>(CONFIG_KEY)
    if (!config || contractInfo(state, address)?.halted !== undefined) return []
    const [base, quoted] = config.denoms
    return [{ address, base, quote: quoted, makers: config.makers }]
  })

/** Scale of worths, because an atomic is worth much less than a dollar. */
const THOUSAND = 1_000n

/** The worth of denoms at an age of the chain: the initial one and its drift. */
function worthAt({ seed }: ChainOptions, age: number): (denom: string) => Decimal {
  const known = new Map<string, Decimal>()
  return (denom) => {
    const present = known.get(denom)
    if (present !== undefined) return present
    const asset = assetFacts.find((each) => each.denom === denom)
    const atomics = asset ? atomicsWorth(asset, THOUSAND) : 0n
    const first = decimal(atomics === 0n ? 0n : (THOUSAND * ONE) / atomics)
    const worth = asset ? movedBy(first, driftOf(seed, asset, age)) : first
    known.set(denom, worth)
    return worth
  }
}
