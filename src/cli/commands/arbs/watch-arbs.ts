import type {
  ArbsAnswer,
  ArbsRequest,
  OpportunityDocument,
} from '../../../operations/arbitrage/arbitrage-documents.js'
import { arbs, arbsChanges } from '../../../operations/arbitrage/arbs.js'
import { namesOf } from '../../../render/names.js'
import type { Context, FlagValues } from '../../command.js'
import { marketNaming } from '../../print-answer.js'
import { conditionOn, plainNumber } from '../../watch/condition.js'
import { changeBps, type EventBody, hasMoved } from '../../watch/events.js'
import { watch } from '../../watch/watch.js'
import type { WatchedLoops } from './arbs-screen.js'
import { profitHundredths } from './loop.js'

/** `swap arbs --watch`: reports loops as they open, change and close. */
export async function watchArbs(
  context: Context,
  flags: FlagValues,
  request: ArbsRequest,
): Promise<void> {
  const { config, out } = context
  let last: ArbsAnswer | undefined
  let traffic = { opened: 0, closed: 0 }
  await watch<WatchedLoops>(context, flags, {
    async ask(app) {
      const [scan, { market }] = [await arbs(app, request), await app.openMarket()]
      if (last !== undefined) {
        const { opened, closed } = arbsChanges(last, scan)
        traffic = { opened: traffic.opened + opened.length, closed: traffic.closed + closed.length }
      }
      last = scan
      return { scan, naming: marketNaming(market, config), traffic }
    },
    // A scan counts as a result even without a change; it then has no events.
    moved: () => true,
    bodies: ({ scan }, reported, bps) => bodiesOf(reported?.scan, scan, bps),
    // The number of loops, and values of the best one.
    condition: conditionOn({
      // `0.5` or `0.5%`.
      percent: [
        (text, left) => plainNumber(text.replace(/ ?%$/, ''), left),
        ({ scan: { opportunities } }) => opportunities[0]?.profit_percent ?? null,
      ],
      usd: [plainNumber, ({ scan: { opportunities } }) => opportunities[0]?.profit_usd ?? null],
      loops: [plainNumber, ({ scan: { opportunities } }) => opportunities.length],
    }),
    number: ({ scan: { opportunities } }) => opportunities.map(profitHundredths)[0],
    loadFrame: async () => (await import('./arbs-screen.js')).arbsFrame,
    value: ({ scan }) => scan.opportunities.map(({ id }) => id).join('\n'),
    line({ scan, naming }) {
      const names = namesOf(naming, out.style)
      const best = scan.opportunities.map(
        ({ path, profit_percent }) => `${names.path(path)} ${profit_percent.toFixed(2)} %`,
      )
      return `block ${scan.height}  ${best.join('; ') || 'nothing pays'}`
    },
  })
}

function bodiesOf(
  before: ArbsAnswer | undefined,
  now: ArbsAnswer,
  bps: bigint,
): readonly EventBody[] {
  const { opened, changed, closed } = arbsChanges(before, now)
  const event = (type: string) => (opportunity: OpportunityDocument) => ({
    type,
    id: opportunity.id,
    opportunity,
  })
  return [
    ...closed.map(event('closed')),
    ...opened.map(event('opened')),
    ...changed
      .filter(({ before: was, now: is }) =>
        hasMoved(BigInt(is.output.amount), BigInt(was.output.amount), bps),
      )
      .map(({ before: was, now: is }) => ({
        type: 'changed',
        id: is.id,
        delta_bps: changeBps(BigInt(is.output.amount), BigInt(was.output.amount)),
        before: pick(was),
        opportunity: is,
      })),
  ]
}

const pick = ({ input, output, profit, profit_percent, profit_usd }: OpportunityDocument) => ({
  input,
  output,
  profit,
  profit_percent,
  profit_usd,
})
