import type { ArbsRequest } from '../../../operations/arbitrage/arbitrage-documents.js'
import { arbs } from '../../../operations/arbitrage/arbs.js'
import type { Context, FlagValues, Run } from '../../command.js'
import { membersOf } from '../../flags/request-flags.js'
import { namingIn, printAnswer } from '../../print-answer.js'
import { isWatched } from '../../watch/watch-options.js'
import { arbsCsv } from './arbs-csv.js'
import { loopHops } from './loop.js'
import { renderArbs } from './render.js'

/** Exit status of `--exit-code` if no loop is profitable. */
const NOTHING = 3

/** Lists profitable arbitrage loops. */
export const runArbs: Run = async (context, _args, flags) => {
  const { app, out } = context
  if (isWatched(flags)) {
    const { watchArbs } = await import('./watch-arbs.js')
    return watchArbs(context, flags, arbsRequestOf(context, flags))
  }
  const answer = await arbs(app, arbsRequestOf(context, flags))
  if (flags['exitCode'] === true && answer.opportunities.length === 0) out.exit(NOTHING)
  const naming = await namingIn(context)
  return printAnswer(context, answer, {
    quiet: () => answer.opportunities.map(({ id }) => id).join('\n'),
    csv: () => arbsCsv(answer, naming),
    human: () => renderArbs(answer, naming, out.style),
  })
}

/** The parameters of the service's request. */
function arbsRequestOf({ config }: Context, flags: FlagValues): ArbsRequest {
  return {
    ...membersOf('arbs', ['minPercent', 'min_profit_usd', 'limit'], flags),
    max_hops: loopHops(config.values.maxHops),
  }
}
