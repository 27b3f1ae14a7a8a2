import { setImmediate as nextTurn } from 'node:timers/promises'
import { isAddressShaped } from '../../config/naming.js'
import { demoChainId } from '../../config/network.js'
import type { Market } from '../../engine/market/market.js'
import { amountIn, type Coin } from '../../engine/market/token.js'
import type { CoinDocument } from '../../operations/document-schema.js'
import type { HopDocument, RouteAnswer } from '../../operations/route/route-documents.js'
import type { SplitAnswer } from '../../operations/split/split-documents.js'
import { formatBps, impactWord } from '../../render/amount.js'
import { field, nextLine } from '../../render/layout.js'
import { namesOf } from '../../render/names.js'
import { plainStyle } from '../../render/style.js'
import { defaultSigner } from '../accounts/default-signer.js'
import { callOf } from '../arguments/swap-words.js'
import type { Context } from '../command.js'
import { atWorstHop, depthText, impactHint } from './route/route-notes.js'
import type { RouteContext } from './route/route-view.js'

/** What the lines below a quote need of it. */
export type PrintedQuote = {
  readonly id: string | undefined
  /** What the quote sells. */
  readonly input: CoinDocument
  readonly impactBps: number | null
  readonly recipient: string | undefined
}

/**
 * The last lines of a quote on a terminal: what the signer holds if that is known to be too little, otherwise the
 * command that executes the quote.
 */
export async function closingLines(
  context: Context,
  market: Market,
  quote: PrintedQuote,
  held: Promise<readonly Coin[] | undefined>,
): Promise<readonly string[]> {
  const { config, out } = context
  const { style } = out
  // A saved market cannot be executed on.
  if (config.values.snapshot !== undefined) return []
  const signer = await defaultSigner(context)
  // Use balances only if they have already arrived.
  const coins = await Promise.race([held, nextTurn(undefined)])
  const lines =
    'name' in signer && coins && lackingLines(context, market, quote, signer.name, coins)
  if (lines) return lines
  const command = commandOf(quote, signer)
  return command === undefined ? [] : [nextLine(command, style)]
}

/** What the signer holds where that is too little; on the demo chain, how to have enough. */
function lackingLines(
  { config, out: { style } }: Context,
  { tokens }: Market,
  { input }: PrintedQuote,
  signer: string,
  coins: readonly Coin[],
): readonly string[] | undefined {
  const { denom } = input
  const amount = amountIn(coins, denom)
  if (amount >= BigInt(input.amount)) return undefined
  const names = namesOf({ tokens, aliases: config.aliases }, style)
  const lacking = `${names.coin({ denom, amount: `${amount}` })}: not enough`
  const lines = field(style, 'You hold', [style.warning(lacking)])
  if (config.network.chainId !== demoChainId) return lines
  const paid = [names.units(input), names.text(names.typed(denom))]
  return [...lines, nextLine(callOf('demo', 'faucet', signer, ...paid), style)]
}

/** `undefined` if execute would refuse the quote. */
function commandOf(
  { id, impactBps, recipient }: PrintedQuote,
  signer: Awaited<ReturnType<typeof defaultSigner>>,
): string | undefined {
  if (id === undefined || impactWord(impactBps).word === 'severe') return undefined
  const paid = recipient === undefined ? [] : ['--to', recipient, '--confirm-to', recipient]
  if ('name' in signer) {
    // An address from the configuration is omitted, since execute reads it as well.
    const from = isAddressShaped(signer.name) ? [] : ['--from', signer.name]
    return callOf('execute', id, ...from, ...paid)
  }
  const isFirst = signer.length === 0
  const execute = callOf('execute', id, '--from', isFirst ? 'main' : 'KEY', ...paid)
  return isFirst ? `${callOf('keys new', 'main')} && ${execute}` : execute
}

/** The warnings of a quote, one a line, for output of a single value. */
export function quoteWarnings(
  { routes }: Pick<RouteAnswer, 'routes'> | Pick<SplitAnswer, 'routes'>,
  context: RouteContext,
): readonly string[] {
  const best = routes[0]!
  const isSplit = 'legs' in best
  const parts = isSplit ? best.legs : [best]
  const hops: readonly HopDocument[] = parts.flatMap((part) => [...part.hops])
  const names = namesOf(context, plainStyle)
  const place = isSplit ? '' : atWorstHop(hops, names)
  const source = ` of ${formatBps(best.price_impact_bps)}${place}`
  const { path } = parts[0]!
  const impact = impactHint({ best, names, style: plainStyle }, { path, isSplit, source })
  const depth = depthText(hops, { verbose: false, names })
  const texts = [...(depth ? [depth] : []), ...(impact?.isSevere ? [impact.text] : [])]
  // A line without a width is not wrapped.
  return texts.map((text) => text.replaceAll('\u00a0', ' '))
}
