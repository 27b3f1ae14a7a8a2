import { SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Coin, Denom } from '../../engine/market/token.js'
import type { Stage } from '../../engine/routing/message.js'
import { readAmount } from '../amount.js'
import { type OperationContext, requireContracts } from '../context.js'
import { marketHead } from '../document-parts.js'
import { requireToken } from '../names.js'
import { requirePairs } from '../quote-document.js'
import { allAgree } from '../simulations.js'
import { stepsOf } from '../stages.js'
import { errorOfSimulation, expectedResult, simulateLegs } from './simulate.js'
import type { SimulateAnswer, SimulateRequest } from './simulate-documents.js'

/** A message of a request with its index. */
type Message = { readonly coin: Coin; readonly stages: readonly Stage[]; readonly pointer: string }

/**
 * Simulates messages with the router, each by itself, at the height of the context's market, and compares the
 * results with ours.
 *
 * @throws SwapError SIMULATION_MISMATCH with the whole answer as its members if they differ
 */
export async function simulateStages(
  context: OperationContext,
  request: SimulateRequest,
): Promise<SimulateAnswer> {
  const messages = messagesOf(request)
  const contracts = await requireContracts(context, 'simulate')
  const { market } = await context.openMarket()
  const outputs = messages.map((message) => outputOf(market, message))
  const [output] = outputs
  for (const [i, each] of outputs.entries())
    if (each !== output)
      throw stagesMismatch(
        `${messages[i]!.pointer}/stages`,
        `end in ${each}, those before in ${output}`,
      )
  const legs = await simulateLegs(
    contracts,
    market,
    messages.map(({ coin, stages }) => ({ coin, stages, ...expectedResult(market, coin, stages) })),
    request.tolerance_bps,
  )
  const answer: SimulateAnswer = {
    ...marketHead(market),
    at_quote: true,
    output: { denom: output! },
    legs,
    within: allAgree(legs.map(({ within }) => within)),
  }
  const fault = errorOfSimulation(answer, market)
  if (fault !== undefined) throw fault
  return answer
}

function messagesOf({ coin, stages, legs }: SimulateRequest): readonly Message[] {
  const read = (
    pointer: string,
    { coin, stages }: Required<Pick<SimulateRequest, 'coin' | 'stages'>>,
  ): Message => ({
    coin: { denom: coin.denom, amount: readAmount(coin.amount, `${pointer}/coin/amount`) },
    stages: stages.map(({ address, denom }) => ({ address, denom })),
    pointer,
  })
  if (legs !== undefined && coin === undefined && stages === undefined)
    return legs.map((leg, i) => read(`/legs/${i}`, leg))
  if (legs === undefined && coin !== undefined && stages !== undefined)
    return [read('', { coin, stages })]
  const pointers = ['/coin', '/stages', '/legs']
  const why = 'give coin and stages, or legs in place of both'
  throw new SwapError('INVALID_REQUEST', 'this is not one message, nor a list of them', {
    why,
    hint: 'take funds and tx.swap.stages of a route, or of each leg of a split',
    members: { errors: pointers.map((pointer) => ({ pointer, detail: why })) },
  })
}

/**
 * The path of stages from a coin, in order of execution. Each must name the denom that the router's dialect
 * requires.
 */
function outputOf(market: Market, { coin, stages, pointer }: Message): Denom {
  requireToken(market, coin.denom, `${pointer}/coin/denom`)
  requirePairs(stages, market)
  let output = coin.denom
  for (const { at, pair, offered, paid, named } of stepsOf(market, coin.denom, stages)) {
    const place = `${pointer}/stages/${at}`
    if (paid === undefined)
      throw stagesMismatch(place, `trades ${pair.base} and ${pair.quote}, but gets ${offered}`)
    if (stages[at]!.denom !== named)
      throw stagesMismatch(
        `${place}/denom`,
        `names another denom than the ${named} that the router wants`,
      )
    output = paid
  }
  return output
}

const stagesMismatch = (pointer: string, detail: string): SwapError =>
  new SwapError('INVALID_REQUEST', 'the stages do not lead from the coin to one output', {
    why: `${pointer} ${detail}`,
    hint: 'take stages as they are in the tx of a quote',
    members: { errors: [{ pointer, detail }] },
  })
