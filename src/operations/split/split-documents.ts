import type { Static } from 'typebox'
import * as Type from 'typebox'
import { DEFAULTS, SPLIT_STEPS } from '../defaults.js'
import * as Doc from '../document-schema.js'
import { readSplitStep } from '../request-values.js'
import {
  AnswerOutput,
  ConsumedLevels,
  displayMembers,
  MessageDocument,
  NetworkFee,
  RejectedPaths,
  RouteDocument,
  RouteId,
  SearchCut,
  SingleBest,
  SlippageBps,
} from '../route/route-documents.js'
import { Amount, RequestDenom, RouteRequest } from '../route/route-request.js'
import { Agrees, VerifiedCall, verificationOf } from '../route/verification-documents.js'
import { SlippageChoice } from '../slippage/slippage-documents.js'
import { validate } from '../validate.js'

const { input: _input, output, allow_direct: _direct, ...terms } = RouteRequest.properties

const SplitStep = Doc.wholeBetween(
  ...SPLIT_STEPS,
  'Shares in steps of this many percent. One leg takes what is left.',
  DEFAULTS.splitStep,
)

const Leg = Doc.closedObject({
  path: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 6,
    description: 'Pair addresses in order of execution.',
  }),
  amount: Amount,
})

/** Body of `POST /swap/sroute` and arguments of `swap sroute` (docs/api.md#split-request). */
export const SplitRequest = Doc.object('The body of `POST /swap/sroute`.', {
  input: Doc.object('What is sold.', {
    denom: RequestDenom,
    amount: Type.Optional(Amount),
    split_step: Type.Optional(SplitStep),
  }),
  output: Type.Optional(output),
  ...terms,
  max_legs: Type.Optional(
    Doc.wholeBetween(
      1,
      10,
      'At most this many legs. Without a grid: no limit unless given.',
      DEFAULTS.maxLegs,
    ),
  ),
  grid: Type.Optional(
    Type.Boolean({ default: true, description: 'False: shares of any size, no steps.' }),
  ),
  frontier: Type.Optional(Doc.flag('Also the best with 1, 2, 3 ... legs and with other steps.')),
  legs: Type.Optional(
    Type.Array(Leg, {
      minItems: 1,
      maxItems: 32,
      description:
        'Quotes exactly this split. The legs are taken in this order, and nothing is searched.',
    }),
  ),
})
export type SplitRequest = Static<typeof SplitRequest>

/**
 * Validates an external body.
 *
 * @throws SwapError INVALID_REQUEST, INVALID_AMOUNT, INVALID_SPLIT_STEP
 */
export function readSplitRequest(body: unknown): SplitRequest {
  const { input } = Object(body) as { readonly input?: unknown }
  const { split_step: step } = Object(input) as { readonly split_step?: unknown }
  if (step !== undefined) readSplitStep(step)
  return validate(SplitRequest, body, { cli: 'sroute', http: 'POST /swap/sroute' })
}

const Share = Doc.object('The share of the leg.', {
  fraction: Doc.text('Of the input; a decimal, 1 for all of it.'),
  amount: Doc.atomics('Of the input.'),
})

const SplitId = Doc.text('The same split has the same id in every answer.')

const route = RouteDocument.properties

/** One leg of a split: one contract call, sent in the order of `legs`. */
const LegDocument = Doc.closedObject({
  split: Share,
  expected_output: route.expected_output,
  min_return: route.min_return,
  price_impact_bps: route.price_impact_bps,
  simulated_output: route.simulated_output,
  exact: route.exact,
  gas_estimate: route.gas_estimate,
  path: route.path,
  hops: route.hops,
  fees: route.fees,
  tx: route.tx,
  funds: route.funds,
})
export type LegDocument = Doc.DocumentOf<typeof LegDocument>

const measures = {
  gap_bps: Doc.number('How far below the best split this one is; negative where it pays more.'),
  gain_over_single_bps: Doc.numberOrNull('What the split earns over the best single path.'),
  optimum_gap_bps: Doc.numberOrNull(
    'How far below the most that any split could pay this one is; rounded up.',
  ),
}

/** One split of the input; `tx` and `funds` with one leg only (docs/api.md#split-answer). */
const SplitDocument = Doc.closedObject({
  id: SplitId,
  expected_output: route.expected_output,
  expected_output_usd: route.expected_output_usd,
  min_return: Doc.atomics('Sum of what the messages demand.'),
  min_return_usd: route.min_return_usd,
  price_impact_bps: route.price_impact_bps,
  gas_estimate: route.gas_estimate,
  cost: route.cost,
  price: route.price,
  ...measures,
  legs: Doc.listOf('In order of execution.', LegDocument),
  tx: Type.Optional(MessageDocument),
  funds: Type.Optional(Doc.coin('The coin to attach to the contract call.')),
  ...NetworkFee,
})
export type SplitDocument = Doc.DocumentOf<typeof SplitDocument>

const pointMembers = {
  id: SplitId,
  expected_output: route.expected_output,
  ...measures,
  legs: Doc.objects('Shares and paths of the legs.', { split: Share, path: Doc.DenomPath }),
}
const FrontierPoint = Doc.closedObject(pointMembers)
export type FrontierPoint = Doc.DocumentOf<typeof FrontierPoint>

const FrontierDocument = Doc.object('What more legs and finer steps pay.', {
  by_legs: Doc.objects('The best split for each limit on the legs.', {
    max_legs: Doc.count('Legs that the split may have.'),
    ...pointMembers,
  }),
  by_steps: Doc.objects('The best split for each step.', {
    split_step: Doc.count('Step of the shares, in percent.'),
    ...pointMembers,
  }),
})
export type FrontierDocument = Doc.DocumentOf<typeof FrontierDocument>

const FreeSplit = Doc.object(
  'What a free split pays, with shares of any size, where that is notably more.',
  {
    expected_output: route.expected_output,
    gain_bps: Doc.number('How much more that is than the first route pays.'),
  },
)

const SplitExplanation = Doc.object('What the search examined and rejected.', {
  examined: Doc.count('Paths that were looked at for one step more.'),
  step: Doc.atomics('What a step sells.'),
  legs: Doc.objects('The legs of `routes[0]` in their order.', {
    id: RouteId,
    last_output: Doc.textOrNull('What all would pay less without the leg’s last step.'),
    levels: ConsumedLevels,
  }),
  lost: Doc.objects('The other splits of the answer.', {
    id: SplitId,
    legs: Doc.count('Number of its legs.'),
    gap_bps: Doc.number('How far below the best split it is.'),
    impact_bps: Doc.numberOrNull('Its price impact.'),
  }),
  unused: Doc.objects('Paths without a share, the closest first.', {
    id: RouteId,
    path: Doc.DenomPath,
    hops: Doc.count('Pairs on the path.'),
    gap_bps: Doc.number(
      'How much less all would pay if the weakest step took this path as a further leg; negative where only `max_legs`, or that it adds next to nothing, forbids it.',
    ),
  }),
  rejected: RejectedPaths,
})
export type SplitExplanation = Doc.DocumentOf<typeof SplitExplanation>

/** The contracts' own numbers for one split, leg by leg, each leg on untouched books. */
const VerifiedSplit = Doc.closedObject({
  id: SplitId,
  agrees: Agrees,
  legs: Doc.listOf('In the order of the legs.', VerifiedCall),
})

const SplitVerification = verificationOf(VerifiedSplit)
export type SplitVerification = Doc.DocumentOf<typeof SplitVerification>

/** The answer of `POST /swap/sroute` and of `swap sroute --json`. */
export const SplitAnswer = Doc.closedObject({
  ...Doc.marketHeadMembers,
  input: Doc.object('What is sold.', {
    denom: Doc.DenomText,
    amount: Doc.AmountText,
    split_step: Type.Optional(Doc.count('Step of the shares, in percent, where they have one.')),
  }),
  output: AnswerOutput,
  ...displayMembers,
  slippage_bps: SlippageBps,
  single_best: Doc.orNull(SingleBest),
  routes: Doc.listOf('Best first.', SplitDocument),
  free_division: Type.Optional(FreeSplit),
  frontier: Type.Optional(FrontierDocument),
  search_cut: SearchCut,
  explain: Type.Optional(SplitExplanation),
  verify: Type.Optional(SplitVerification),
  slippage: Type.Optional(SlippageChoice),
})
export type SplitAnswer = Doc.DocumentOf<typeof SplitAnswer>
