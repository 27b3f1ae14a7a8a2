import { SwapError } from '../../../engine/errors.js'
import { arbs } from '../../../operations/arbitrage/arbs.js'
import type { ArbsRequest } from '../../../operations/arbitrage/requests.js'
import { stringify } from '../../../operations/json.js'
import { quote } from '../../../render/width.js'
import type { Context, FlagValues } from '../../command.js'
import { pairsOf } from '../../market-pairs.js'
import { isWatched } from '../../watch/watch-options.js'
import { arbsCsv } from './arbs-csv.js'
import { loopHops } from './loop.js'
import { renderArbs } from './render.js'

/** Exit status of `--exit-code` if no loop is profitable. */
const NOTHING = 3

/** Lists profitable arbitrage loops. */
export async function runArbs(
  context: Context,
  _args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const { app, out, form, config } = context
  if (isWatched(flags)) {
    const { watchArbs } = await import('./watch-arbs.js')
    return watchArbs(context, flags, arbsRequestOf(context, flags))
  }
  const answer = await arbs(app, arbsRequestOf(context, flags))
  if (flags['exitCode'] === true && answer.opportunities.length === 0) out.exit(NOTHING)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(answer.opportunities.map(({ id }) => id).join('\n'))
  if (form.kind === 'json') return out.result(stringify(answer))
  const { market } = await app.openMarket()
  const view = {
    tokens: market.tokens,
    pairs: pairsOf(market),
    aliases: config.aliases,
  }
  return out.result(
    form.kind === 'csv' ? arbsCsv(answer, view) : renderArbs(answer, view, out.style),
  )
}

/** The parameters of the service's request. */
function arbsRequestOf({ config }: Context, flags: FlagValues): ArbsRequest {
  return {
    ...numberOf(flags, 'minPercent', '--min-percent', 1000),
    ...numberOf(flags, 'minProfitUsd', '--min-profit-usd', 1e15),
    max_hops: loopHops(config.values.maxHops),
    ...(flags['limit'] !== undefined && { limit: config.values.limit }),
  }
}

const members = { minPercent: 'minPercent', minProfitUsd: 'min_profit_usd' } as const

/** A plain decimal, with an optional percent or dollar sign. */
function numberOf(
  flags: FlagValues,
  name: keyof typeof members,
  label: string,
  most: number,
): ArbsRequest {
  const text = flags[name]
  if (text === undefined) return {}
  const [, digits = ''] = /^\$?(\d{1,15}(?:\.\d{1,15})?)%?$/.exec(String(text)) ?? []
  if (digits !== '' && Number(digits) <= most) return { [members[name]]: Number(digits) }
  const why = `it is a number from 0 to ${most}`
  throw new SwapError('INVALID_REQUEST', `${quote(String(text))} cannot be used for ${label}`, {
    why,
    hint: `write e.g. ${label} 0.1`,
    members: { errors: [{ pointer: `/${members[name]}`, detail: why }] },
  })
}
