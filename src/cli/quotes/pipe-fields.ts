import type { MarketHead } from '../../operations/document-schema.js'
import type {
  Explanation,
  HopDocument,
  RouteAnswer,
  RouteDocument,
  Verification,
} from '../../operations/route/route-documents.js'
import type {
  LegDocument,
  SplitAnswer,
  SplitDocument,
  SplitExplanation,
  SplitVerification,
} from '../../operations/split/split-documents.js'
import { type Names, namesOf } from '../../render/names.js'
import { plainStyle } from '../../render/style.js'
import { type PipeMembers, pipeLines } from '../print-answer.js'
import { type RouteContext, venueName } from './route/route-view.js'

/**
 * A quote for a pipe: one field a line, named as in the JSON document, unformatted numbers. Amounts
 * are atomics; the same in units is under `…_human`. Routes, legs and hops are counted from 1, and the
 * order of the lines is fixed. Not a stable interface; `--json` is.
 */
export function renderRoutePlain(answer: RouteAnswer, context: RouteContext): string {
  const names = namesOf(context, plainStyle)
  const route = answer.routes.map((each) => routeMembers(each, names))
  // The message and the coins of an order beside the routes are in the document.
  const { tx: _, funds: __, ...order } = answer.direct ?? {}
  const direct = answer.direct && { direct: order }
  const document = { ...headMembers(answer, context), ...counts(answer), ...direct, route }
  return withDetails(pipeLines(document, { names, output: answer.output.denom }), answer)
}

/** The fields of a quote, then its verification and its explanation where requested. */
const withDetails = (quote: string, { verify, explain }: RouteAnswer | SplitAnswer): string =>
  [quote, verify && renderVerifyPlain(verify), explain && renderExplainPlain(explain)]
    .filter((text) => text !== undefined)
    .join('\n')

/** The same for a split. */
export function renderSplitPlain(answer: SplitAnswer, context: RouteContext): string {
  const names = namesOf(context, plainStyle)
  const { single_best: single, free_division: free, frontier } = answer
  const document = {
    ...headMembers(answer, context),
    'single_best.id': single?.id ?? null,
    'single_best.expected_output': single?.expected_output ?? null,
    'free_division.expected_output': free?.expected_output ?? null,
    'free_division.gain_bps': free?.gain_bps ?? null,
    ...counts(answer),
    route: answer.routes.map((split) => splitMembers(split, names)),
    'frontier.legs': Object.fromEntries(
      frontier?.by_legs.map((each) => [each.max_legs, each.expected_output]) ?? [],
    ),
    'frontier.step': Object.fromEntries(
      frontier?.by_steps.map((each) => [each.split_step, each.expected_output]) ?? [],
    ),
  }
  return withDetails(pipeLines(document, { names, output: answer.output.denom }), answer)
}

/** The members of a quote for a pipe; its id comes after the network and the block. */
export const withQuoteId = <Answer extends MarketHead>(
  { network, chain_id, height, time, ...members }: Answer,
  { quoteId }: Pick<RouteContext, 'quoteId'>,
) => ({ network, chain_id, height, time, quote_id: quoteId ?? null, ...members })

/** The members of an answer before its routes. */
function headMembers(answer: RouteAnswer | SplitAnswer, context: RouteContext) {
  const { network, chain_id, height, time, quote_id, input, output } = withQuoteId(answer, context)
  const { input_usd, slippage_bps, slippage, search_cut } = answer
  const place = { network, chain_id, height, time, quote_id }
  return { ...place, input, output, input_usd, slippage_bps, slippage, search_cut }
}

const counts = ({ routes, excluded }: RouteAnswer | SplitAnswer) => ({
  routes: routes.length,
  excluded: excluded.length,
})

function routeMembers(route: RouteDocument, names: Names): PipeMembers {
  const { id, expected_output, expected_output_usd, min_return, min_return_usd, ...rest } = route
  const { simulated_output, gross_output, cost, ...more } = rest
  return {
    id,
    expected_output,
    expected_output_usd,
    min_return,
    min_return_usd,
    simulated_output,
    gross_output,
    exact: route.exact,
    price_impact_bps: route.price_impact_bps,
    cost: cost ?? UNKNOWN_COST,
    ...callMembers(more, names),
  }
}

function splitMembers(split: SplitDocument, names: Names): PipeMembers {
  const { legs, cost, price_impact_bps, tx: _, funds: __, ...members } = split
  const { id, expected_output, expected_output_usd, min_return, min_return_usd, ...more } = members
  return {
    id,
    expected_output,
    expected_output_usd,
    min_return,
    min_return_usd,
    price_impact_bps,
    cost: cost ?? UNKNOWN_COST,
    ...more,
    legs: legs.length,
    leg: legs.map((leg) => legMembers(leg, names)),
  }
}

const legMembers = ({ split, ...leg }: LegDocument, names: Names): PipeMembers => ({
  fraction: split.fraction,
  input: leg.funds,
  ...callMembers(leg, names),
})

const UNKNOWN_COST = {
  cost_bps: null,
  impact_bps: null,
  venue_fees_bps: null,
  protocol_fee_bps: null,
  affiliate_fee_bps: null,
  cost_usd: null,
}

/** The members of a call without its message. */
function callMembers<T extends Pick<LegDocument, 'path' | 'hops' | 'fees' | 'tx' | 'funds'>>(
  { path, hops, fees, tx: _, funds: __, ...members }: T,
  names: Names,
): PipeMembers {
  return {
    ...members,
    path: path.join(' > '),
    protocol_fee: fees.protocol.amount,
    referral_fee: fees.referral.amount,
    affiliate_fee: fees.affiliate.amount,
    hop: hops.map((hop) => hopMembers(hop, names)),
  }
}

function hopMembers(hop: HopDocument, names: Names): PipeMembers {
  const { address, input, output, fee, ...members } = hop
  return { address, venue: venueName(hop, names), input, output, venue_fee: fee, ...members }
}

/** An explanation of a route or of a split for a pipe, under `explain`. */
export function renderExplainPlain(explanation: Explanation | SplitExplanation): string {
  const { lost, rejected, examined, ...own } = explanation
  const explain =
    'levels' in own
      ? { hop: own.levels.map(levelMembers), lost }
      : {
          step: own.step,
          leg: own.legs.map(({ levels, ...leg }) => ({ ...leg, hop: levels.map(levelMembers) })),
          lost,
          unused: own.unused.map(withPath),
        }
  return pipeLines({ explain: { examined, ...explain, rejected: rejected.map(withPath) } })
}

const levelMembers = ({ address, levels }: Explanation['levels'][number]): PipeMembers => ({
  address,
  level: levels.map(({ parts, ...level }) => ({ ...level, part: parts })),
})

const withPath = <T extends { readonly path: readonly string[] }>(each: T) => ({
  ...each,
  path: each.path.join(' > '),
})

/** A verification of a route or of a split for a pipe: routes are counted under `verify`. */
export function renderVerifyPlain({ agrees, routes }: Verification | SplitVerification): string {
  const numbered = routes.map((route, i) => {
    if (!('legs' in route)) return [i + 1, verifiedMembers(route)] as const
    const { legs, ...members } = route
    return [i + 1, { ...members, leg: legs.map(verifiedMembers) }] as const
  })
  return pipeLines({ 'verify.agrees': agrees, verify: Object.fromEntries(numbered) })
}

const verifiedMembers = <T extends { readonly hops: readonly PipeMembers[] }>({
  hops,
  ...call
}: T) => ({ ...call, hop: hops })
