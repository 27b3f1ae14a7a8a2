import { type Coin, ContractError, wireCoin } from '../../modules/contract.js'
import { type Fields, fieldsOf, type ReadValue, read, writeJson } from '../serde.js'

/** How a router reads the stages of a route: see `readingOf`. */
export type Dialect = 'stack' | 'forward'

/** One hop of a route. What `denom` names depends on the dialect. */
export type Stage = { readonly address: string; readonly denom: string }

const stage: ReadValue<Stage> = (type, value) => {
  const fields = fieldsOf(type, value)
  return { address: fields.text('address'), denom: fields.text('denom') }
}

export const stagesOf = (fields: Fields): readonly Stage[] => fields.list('stages', stage)

/** A router's `swap` message. */
export type SwapMessage = ReturnType<typeof readSwap>

export const readSwap = (fields: Fields) => ({
  minReturn: fields.coin('min_return'),
  stages: stagesOf(fields),
  recipient: fields.optional('recipient', read.text),
  affiliateCode: fields.optional('affiliate_code', read.text),
  callback: fields.optional('callback', read.base64),
  /** Passed from message to message for the event only; a sender can forge it. */
  inputCoin: fields.optional('input_coin', read.coin),
  /** The denom offered to the next stage, passed along if the stages do not name it. */
  offered: fields.optional('offered', read.text),
})

/** The message as JSON text. */
export const writeSwap = (message: SwapMessage): string =>
  writeJson({
    swap: {
      min_return: wireCoin(message.minReturn),
      stages: message.stages,
      recipient: message.recipient ?? null,
      affiliate_code: message.affiliateCode ?? null,
      callback: message.callback ?? null,
      ...(message.inputCoin && { input_coin: wireCoin(message.inputCoin) }),
      ...(message.offered !== undefined && { offered: message.offered }),
    },
  })

/** The next hop of a route, and the message that runs the rest. */
type NextHop = {
  readonly pair: string
  /** The denom whose whole balance the hop sells. */
  readonly offered: string
  readonly rest: Pick<SwapMessage, 'stages' | 'offered'>
}

/** How a router reads its stages (docs/chain.md#stage-dialects). */
export type Reading = {
  /** `undefined` after the last stage. */
  next(message: SwapMessage, funds: readonly Coin[]): NextHop | undefined
  /** The pairs in order of execution, each with the denom that the hop after it is paid in. */
  order(stages: readonly Stage[]): readonly { readonly pair: string; readonly following: string }[]
}

/** The last element runs first, and names the denom that is offered to it. */
const stack: Reading = {
  next({ stages }) {
    const stage = stages.at(-1)
    return (
      stage && {
        pair: stage.address,
        offered: stage.denom,
        rest: { stages: stages.slice(0, -1), offered: undefined },
      }
    )
  },
  order: (stages) =>
    stages
      .toReversed()
      .map(({ address }, at) => ({ pair: address, following: stages.at(-2 - at)?.denom ?? '' })),
}

/** Stages run in order and name the denom that they produce: the first sells the attached coin. */
const forward: Reading = {
  next({ stages, offered }, funds) {
    const [stage, ...rest] = stages
    if (stage === undefined) return undefined
    const sold = offered ?? funds[0]?.denom
    if (sold === undefined) throw new ContractError('No funds sent')
    return { pair: stage.address, offered: sold, rest: { stages: rest, offered: stage.denom } }
  },
  order: (stages) => stages.map(({ address, denom }) => ({ pair: address, following: denom })),
}

export const stageReader = (dialect: Dialect): Reading => (dialect === 'stack' ? stack : forward)
