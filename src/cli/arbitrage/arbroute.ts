import { type ArbrouteAnswer, arbroute } from '../../app/arbitrage/arbroute.js'
import type { ArbrouteRequest } from '../../app/arbitrage/request.js'
import { stringify } from '../../app/json.js'
import { integer } from '../../config/readers.js'
import { formatUnits } from '../../render/amount.js'
import { renderArbroute } from '../../render/arbitrage/arbroute.js'
import { arbrouteCsv } from '../../render/arbitrage/csv.js'
import { pairsOf } from '../../render/names.js'
import { missing, refuseMore } from '../arguments.js'
import type { Context, FlagValues } from '../command.js'
import { keepQuote } from '../quote-store.js'
import { readAmount, readerOf, splitGlued, wholeBps } from '../route/route-request.js'
import { circleHops } from './circle-hops.js'

/** Sizes of a picture that nobody has asked for by number. */
const PICTURE = 60

/** Says what a capital earns, keeps the quote and prints it. */
export async function runArbroute(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const { app, out, form, config, surroundings } = context
  const request = await arbrouteRequestOf(context, args, flags)
  const { curve, ...quoted } = await arbroute(app, { curve: PICTURE, ...request })
  // The picture's points are not part of what was asked for, nor of what is kept.
  const answer: ArbrouteAnswer = request.curve === undefined ? quoted : { ...quoted, curve: curve! }
  const document = stringify(answer)
  const kept = keepQuote(surroundings, document)
  if (kept.note !== undefined) out.note(kept.note)
  if (form.quiet > 1) return
  const { market } = await app.venue()
  const { tokens } = market
  if (form.quiet === 1) {
    const { denom, amount } = answer.profit
    return out.result(
      form.atomic ? amount : formatUnits(BigInt(amount), tokens.get(denom)!.decimals),
    )
  }
  if (form.kind !== 'human' && kept.id !== undefined) out.note(`quote ${kept.id}`)
  if (form.kind === 'json') return out.result(document)
  const view = {
    tokens,
    pairs: pairsOf(market),
    aliases: config.aliases,
    human: form.human,
    dialect: market.router.dialect,
    picture: curve ?? [],
    ...(kept.id !== undefined && { quoteId: kept.id }),
  }
  return out.result(
    form.kind === 'csv' ? arbrouteCsv(answer, view) : renderArbroute(answer, view, out.style),
  )
}

const CALL = 'swap arbroute <capital> <token>'

/** Turns the arguments into the very object that the service takes as a body. */
export async function arbrouteRequestOf(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<ArbrouteRequest> {
  const reader = await readerOf(context)
  const [amount, name, ...more] = args.flatMap((word) => splitGlued(word, reader.atomic))
  refuseMore('arbroute', more)
  if (amount === undefined) throw missing('the capital', CALL)
  if (name === undefined) throw missing('the token', CALL)
  const token = reader.token(name)
  const { values } = context.config
  const { curve } = flags
  return {
    input: {
      denom: token.denom,
      amount: `${readAmount(reader, amount, token, '/input/amount')}`,
    },
    slippage_bps: flags['slippageBps'] === undefined ? values.slippage : wholeBps(flags),
    max_hops: circleHops(values.maxHops),
    ...(typeof curve === 'string' && {
      curve: integer(2, 200)(curve, { label: '--curve', folder: '' }),
    }),
  }
}
