import { balanceOf } from '../../src/demo-chain/modules/bank.js'
import { ChainFailure } from '../../src/demo-chain/modules/chain-failure.js'
import { OutOfGas } from '../../src/demo-chain/modules/gas.js'
import type { Reader } from '../../src/demo-chain/store/state.js'
import type { Failure, VectorCase, VectorCoin } from './cases.js'
import { execute, holdings, smartQuery, valuesOf } from './contract-world.js'
import {
  affiliateAddress,
  COLLECTOR,
  FEES,
  type MarketWorld,
  referralAddress,
} from './contracts.js'

type Case<K extends VectorCase['kind']> = Extract<VectorCase, { kind: K }>

const RECIPIENT = 'recipient'

/** The contracts' answer to a recorded case, in the form of the recording. */
export function replayOnContracts(world: MarketWorld, item: VectorCase): unknown {
  switch (item.kind) {
    case 'simulate':
      return outcome(() => smartQuery(world, item.pair, { simulate: item.offer }))
    case 'swap':
      return outcome(() => swap(world, item))
    case 'route': {
      const { coin, stages } = item as Case<'route'> & { readonly stages: unknown }
      return outcome(() => smartQuery(world, world.router, { simulate: { coin, stages } }))
    }
    case 'execute':
      return outcome(() => routed(world, item))
    case 'sequence':
      return sequence(world, item)
  }
}

/** The recorded answer. */
export function recorded(item: VectorCase): unknown {
  if (item.kind !== 'sequence') return withoutText(item.result)
  return Array.isArray(item.results) ? item.results.map(withoutText) : withoutText(item.results)
}

/** Classes of failures whose texts are the contracts' own, not a test bank's or a virtual machine's. */
const OWN_TEXTS = ['distribution', 'no_balance', 'min_return', 'overflow', 'invalid_denom']

const withoutText = (result: object): object => {
  if (!('error' in result)) return result
  const { error, message } = result as Failure
  return OWN_TEXTS.includes(error) ? { error, message } : { error }
}

/** The answer, or the class and the contract's own text of the failure. */
function outcome(run: () => unknown): unknown {
  try {
    return run()
  } catch (failure) {
    const error = classOf(failure)
    const message = (failure as Error).message.replace(
      /: (execute|query) wasm contract failed$/,
      '',
    )
    return OWN_TEXTS.includes(error) ? { error, message: message.replace(NESTED, '') } : { error }
  }
}

/** The text that the chain adds where one contract returns another's failure; the recording has no chain. */
const NESTED = /(?<=^Generic error: Querier contract error: .*): query wasm contract failed$/

const CLASSES: readonly (readonly [RegExp, string])[] = [
  [/panicked|code: 29/, 'abort'],
  [/DistributionError/, 'distribution'],
  // A maker that is sent nothing fails here itself; in the recording its bank refused first.
  [/: invalid coins|No funds sent/, 'empty_coins'],
  [/insufficient funds/, 'insufficient_funds'],
  [/No balance/, 'no_balance'],
  [/Invalid return amount|InsufficientReturn/, 'min_return'],
  [/Cannot Sub/, 'overflow'],
  [/invalid denom/, 'invalid_denom'],
]

/** The recording's class of a failure; running out of gas is an abort there. */
function classOf(error: unknown): string {
  if (error instanceof OutOfGas) return 'abort'
  if (!(error instanceof ChainFailure)) throw error
  return CLASSES.find(([pattern]) => pattern.test(error.message))?.[1] ?? error.message
}

/** The same route in the other dialect: in order, each stage with the denom it produces. */
export function forwardCase(world: MarketWorld, item: VectorCase): VectorCase | undefined {
  if (item.kind !== 'route' && item.kind !== 'execute') return undefined
  let { denom } = item.coin
  const stages = item.path.map((address) => {
    denom = otherDenom(world, address, denom)
    return { address, denom }
  })
  return { ...item, stages } as VectorCase
}

function otherDenom(world: MarketWorld, pair: string, denom: string): string {
  const { denoms } = smartQuery(world, pair, { config: {} }) as {
    readonly denoms: readonly string[]
  }
  return denoms.find((other) => other !== denom) ?? ''
}

const coinOf = ({ denom, amount }: VectorCoin) => ({ denom, amount: BigInt(amount) })

function swap(world: MarketWorld, item: Case<'swap'>): unknown {
  const config = smartQuery(world, item.pair, { config: {} }) as {
    readonly denoms: [string, string]
  }
  const { state, events } = execute(world, world.start, item.pair, { swap: { to: RECIPIENT } }, [
    coinOf(item.offer),
  ])
  const wanted = config.denoms.find((denom) => denom !== item.offer.denom) ?? ''
  const trades = events.filter(({ type }) => type === 'wasm-rujira-fin/trade')
  return {
    received: `${balanceOf(state, RECIPIENT, wanted)}`,
    refunded: `${balanceOf(state, RECIPIENT, item.offer.denom)}`,
    fee_address: Object.fromEntries(
      config.denoms.map((denom) => [denom, `${balanceOf(state, FEES, denom)}`]),
    ),
    trades_count: trades.length,
    ...(trades.length <= 12 && {
      trades: trades.map((event) => {
        const sides = valuesOf(event, 'side')
        return {
          rate: valuesOf(event, 'rate')[0],
          offer: valuesOf(event, 'offer')[0],
          bid: valuesOf(event, 'bid')[0],
          parts: valuesOf(event, 'price').map((price, at) => [price, sides[at]]),
        }
      }),
    }),
  }
}

const routerSwap = (
  stages: readonly unknown[],
  minReturn: VectorCoin,
  affiliate: string | null = null,
) => ({
  swap: {
    stages,
    min_return: minReturn,
    recipient: RECIPIENT,
    ...(affiliate !== null && { affiliate_code: affiliate }),
  },
})

function routed(world: MarketWorld, item: Case<'execute'>): unknown {
  const { denom } = item.min_return
  const message = routerSwap(item.stages, item.min_return, item.affiliate_code)
  const { state } = execute(world, world.start, world.router, message, [coinOf(item.coin)])
  const paid = (address: string) => `${balanceOf(state, address, denom)}`
  const code = item.affiliate_code ?? ''
  return {
    recipient: paid(RECIPIENT),
    fee_collector: paid(COLLECTOR),
    affiliate: paid(affiliateAddress(code)),
    referral: paid(referralAddress(code)),
    router_left: holdings(state, world.router),
  }
}

function sequence(world: MarketWorld, item: Case<'sequence'>): unknown {
  let state: Reader = world.start
  const results: unknown[] = []
  for (const leg of item.legs) {
    const { denom } = leg.min_return
    const result = outcome(() => {
      const before = balanceOf(state, RECIPIENT, denom)
      const stages = stagesOf(world, leg)
      const done = execute(world, state, world.router, routerSwap(stages, leg.min_return), [
        coinOf(leg.coin),
      ])
      state = done.state
      return { recipient: `${balanceOf(done.state, RECIPIENT, denom) - before}` }
    }) as object
    if (item.mode === 'one_tx' && 'error' in result) return [result]
    results.push(result)
  }
  return results
}

/** A path in the dialect of the recorded router: the last stage runs first, with the denom it is offered. */
function stagesOf(world: MarketWorld, leg: Case<'sequence'>['legs'][number]): readonly unknown[] {
  let { denom } = leg.coin
  const stages = leg.path.map((address) => {
    const stage = { address, denom }
    denom = otherDenom(world, address, denom)
    return stage
  })
  return stages.reverse()
}
