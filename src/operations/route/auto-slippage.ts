import type { OperationContext } from '../context.js'
import { legsOfRoute } from '../document-parts.js'
import type { CoinDocument } from '../document-schema.js'
import { chooseSlippage, type QuotedLegs } from '../slippage/choose-slippage.js'
import { payouts } from '../slippage/replay-path.js'
import type { SlippageChoice } from '../slippage/slippage-documents.js'
import type { HopDocument } from './route-documents.js'

/** The members of a quote's answer that the choice needs. */
type QuotedAnswer = {
  readonly chain_id: string
  readonly height: number
  readonly slippage_bps: number
  readonly routes: readonly (QuotedLeg | { readonly legs: readonly QuotedLeg[] })[]
}
type QuotedLeg = { readonly funds: CoinDocument; readonly hops: readonly HopDocument[] }

type AutoRequest = { readonly slippage?: 'auto'; readonly slippage_bps?: number }

/**
 * Answers a request. With `slippage: "auto"`, first with the configured slippage to find the route, then with
 * the slippage that recorded blocks suggest for it.
 */
export async function withAutoSlippage<Request extends AutoRequest, Answer extends QuotedAnswer>(
  { evidence }: OperationContext,
  request: Request,
  answer: (request: Request) => Promise<Answer>,
): Promise<Answer & { readonly slippage?: SlippageChoice }> {
  if (request.slippage !== 'auto') return answer(request)
  const { slippage: _, ...fixed } = request
  const first = await answer(fixed as Request)
  const choice = await chooseSlippage(await evidence?.(first.height), quotedLegs(first))
  if (choice.bps === first.slippage_bps) return { ...first, slippage: choice }
  const secondAnswer = await answer({ ...(fixed as Request), slippage_bps: choice.bps })
  return { ...secondAnswer, slippage: choice }
}

/** The legs of the best route of an answer. */
function quotedLegs({ chain_id, height, slippage_bps, routes }: QuotedAnswer): QuotedLegs {
  const [best] = routes
  const legs = legsOfRoute<QuotedLeg>(best)
  const [thinnest] = legs
    .flatMap(({ hops }) => hops)
    .sort((a, b) => b.depth_used_percent - a.depth_used_percent)
  return {
    legs: legs.map(({ funds, hops }) =>
      payouts({
        pairs: hops.map(({ address }) => address),
        input: { denom: funds.denom, amount: BigInt(funds.amount) },
      }),
    ),
    chainId: chain_id,
    height,
    configuredBps: slippage_bps,
    thinnest: thinnest
      ? { address: thinnest.address, depth_used_percent: thinnest.depth_used_percent }
      : null,
  }
}
