import { stringify } from '../../../operations/json.js'
import { curve } from '../../../operations/split/curve.js'
import { max } from '../../../operations/split/max.js'
import { formatUnits } from '../../../render/amount.js'
import type { Context, FlagValues } from '../../command.js'
import { curveCsv, maxCsv } from '../../quotes/split/split-csv.js'
import { renderCurve } from './render.js'
import { renderMax } from './render-max.js'
import { curveRequestOf, maxRequestOf } from './size-request.js'

/** Quotes a ladder of sizes and prints it. */
export async function runCurve(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const { app, out, form, config } = context
  const answer = await curve(app, await curveRequestOf(context, args, flags))
  if (form.quiet > 1) return
  if (form.kind === 'json' && form.quiet === 0) return out.result(stringify(answer))
  const { tokens } = (await app.openMarket()).market
  if (form.quiet === 1) {
    const decimals = tokens.get(answer.output.denom)!.decimals
    const texts = answer.points.map(({ output }) => {
      if (output === null) return ''
      return form.atomic ? output.amount : formatUnits(BigInt(output.amount), decimals)
    })
    return out.result(texts.join('\n'))
  }
  const view = { tokens, aliases: config.aliases, human: form.human }
  return out.result(
    form.kind === 'csv' ? curveCsv(answer, view) : renderCurve(answer, view, out.style),
  )
}

/** Finds the most that fits under a limit and prints it. */
export async function runMax(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const { app, out, form, config } = context
  const answer = await max(app, await maxRequestOf(context, args, flags))
  if (form.quiet > 1) return
  const { tokens } = (await app.openMarket()).market
  const { amount, denom } = answer.input
  if (form.quiet === 1)
    return out.result(
      form.atomic ? amount : formatUnits(BigInt(amount), tokens.get(denom)!.decimals),
    )
  if (form.kind === 'json') return out.result(stringify(answer))
  const view = { tokens, aliases: config.aliases, human: form.human }
  return out.result(form.kind === 'csv' ? maxCsv(answer, view) : renderMax(answer, view, out.style))
}
