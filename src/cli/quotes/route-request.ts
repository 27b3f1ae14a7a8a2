import { invalidRequest, type SwapError } from '../../engine/errors.js'
import type { Market } from '../../engine/market/market.js'
import type { Denom, Token } from '../../engine/market/token.js'
import { formatToken, typedToken } from '../../operations/amount.js'
import {
  flagNameOf,
  notSearched,
  ORDER_PAYS_SIGNER,
  readSplitStep,
} from '../../operations/request-values.js'
import type { RouteRequest } from '../../operations/route/route-request.js'
import type { SplitRequest } from '../../operations/split/split-documents.js'
import { atomicsWorth } from '../../operations/worth.js'
import { shellWord } from '../../platform/shell-word.js'
import { quote } from '../../render/width.js'
import { withAddresses } from '../accounts/resolve-address.js'
import { parseAmount, parseAtomic, parseDollar, splitAmountToken } from '../arguments/amount.js'
import { isPair, onlyPair, openPairs, tokensOf } from '../arguments/pair-name.js'
import { swapWords } from '../arguments/swap-words.js'
import { resolveToken } from '../arguments/token-names.js'
import type { Context, FlagValues } from '../command.js'
import { emptyValue } from '../flags/add-flag.js'
import { textsOf } from '../flags/checked-flag.js'
import { membersOf } from '../flags/request-flags.js'
import { clashing, inFlag, invalidAmount, refuseBeside } from '../invalid-request.js'

/** Reads the request of a command from its arguments and flags; errors name `command`. */
export type ReadRequest<Request> = (
  context: Context,
  args: readonly string[],
  flags: FlagValues,
  command?: string,
) => Promise<Request>

/** Parsers of names and amounts for the market of a command. */
export type Reader = {
  readonly market: Market
  readonly atomic: boolean
  /** The token that a text names, for a member of the request. */
  readonly token: (text: string, pointer: string) => Token
}

/** Creates the parsers for the market of a command. */
export async function readerOf({ app, form, config, out }: Context): Promise<Reader> {
  const { market, graph } = await app.openMarket()
  const listed = [...market.tokens.values()].filter((token) => graph.indexOf.has(token.denom))
  return {
    market,
    atomic: form.atomic,
    token(text, pointer) {
      const { token, note } = resolveToken(text, listed, config.aliases, pointer)
      if (note !== undefined) out.note(note)
      return token
    },
  }
}

/**
 * Turns the arguments of `swap route` and similar commands into the request body of the service:
 * symbols become denoms and amounts become atomics here only.
 */
export const routeRequestOf: ReadRequest<RouteRequest> = async (
  context,
  args,
  flags,
  command = 'route',
) => {
  refuseUnshown(context, flags)
  refuseSearch(flags)
  if (flags['allowDirect'] === true)
    refuseBeside('--allow-direct', '/allow_direct', [['--to', flags['to'], ORDER_PAYS_SIGNER]])
  const { to: recipient } = await withAddresses(context, flags, 'to')
  const reader = await readerOf(context)
  const ask = readAsk(reader, args, command)
  const { values } = context.config
  const { minOut } = flags
  return {
    ...ask,
    ...(flags['slippage'] === 'auto' && { slippage: 'auto' as const }),
    slippage_bps: values.slippage,
    max_hops: values.maxHops,
    limit: values.limit,
    ...(values.affiliate !== undefined && { affiliate: values.affiliate }),
    ...(typeof recipient === 'string' && { recipient }),
    ...pathNames(reader, flags, 'via', 'exclude', 'path'),
    ...(typeof minOut === 'string' && {
      min_out: `${receivedAmount(reader, minOut, ask.output.denom, '--min-out')}`,
    }),
    ...membersOf('route', ['max_impact_bps', 'allow_direct', 'explain', 'verify'], flags),
  }
}

/** The first two are in the configuration too, where they do not conflict with a given path. */
const SEARCH_FLAGS = ['maxHops', 'limit', 'splitStep', 'maxLegs', 'via', 'exclude']

function refuseSearch(flags: FlagValues): void {
  const given = (['path', 'legs'] as const).find((name) => flags[name] !== undefined)
  const search = SEARCH_FLAGS.find((name) => flags[name] !== undefined)
  if (given === undefined || search === undefined) return
  throw clashing(`--${given}`, `--${flagNameOf(search)}`, notSearched(given), `/${given}`)
}

/** A single value, and rows of CSV, have no place for explanations, verifications and orders in place of a route. */
function refuseUnshown({ form }: Context, flags: FlagValues): void {
  const unshown = ['explain', 'verify', 'allow_direct'] as const
  const given = membersOf('route', unshown, flags)
  const member = unshown.find((each) => given[each])
  if (member === undefined) return
  const name = flagNameOf(member)
  const only = flags['id'] === true ? '--id' : form.quiet > 0 && '-q'
  if (only) throw clashing(`--${name}`, only, 'one value is printed', `/${member}`)
  if (form.kind !== 'csv') return
  throw invalidRequest(`--${name} cannot be written as CSV`, `/${member}`, {
    why: 'its rows are those of the quote alone',
    hint: `say --json for everything, or leave --${name} out`,
  })
}

/** The amount and the tokens of the positional arguments. */
function readAsk(reader: Reader, args: readonly string[], command: string) {
  const words = args.flatMap((word) => splitGlued(word, reader.atomic))
  const { amount, from, to, exactOut } = swapWords(words, command)
  const [input, output] = [reader.token(from, '/input/denom'), reader.token(to, '/output/denom')]
  const pointer = exactOut ? '/output/amount' : '/input/amount'
  const given = { amount: `${readAmount(reader, amount, exactOut ? output : input, pointer)}` }
  return {
    input: { denom: input.denom, ...(!exactOut && given) },
    output: { denom: output.denom, ...(exactOut && given) },
  }
}

/** Splits `1.5btc` into `1.5 btc`; other texts are returned as they are. */
export function splitGlued(word: string, atomic: boolean): readonly string[] {
  if (!/^[\d.$]/.test(word) || !/[a-z]/i.test(word)) return [word]
  if (atomic && /^\d+$/.test(word)) return [word]
  const split = splitAmountToken(word)
  return split === undefined ? [word] : [split.amount, split.token]
}

/** Parses an amount: units, dollars, or with `--atomic` atomics. */
export function readAmount(
  { market, atomic }: Pick<Reader, 'market' | 'atomic'>,
  text: string,
  token: Token,
  pointer: string,
): bigint {
  const dollars = parseDollar(text)
  if (dollars !== undefined) return atomicsOf(market, dollars, token, pointer)
  return atomic ? parseAtomic(text, pointer) : parseAmount(text, token, pointer)
}

/** Values of a repeatable flag that may hold commas. @throws SwapError INVALID_REQUEST for commas alone */
export function listOf(flags: FlagValues, name: string): readonly string[] {
  const texts = textsOf(flags, name)
  const list = texts.flatMap(withoutCommas)
  if (texts.length > 0 && list.length === 0) throw emptyValue(`--${name}`)
  return list
}

const withoutCommas = (text: string): readonly string[] =>
  text.split(',').filter((part) => part !== '')

/** Tokens and pairs of flags, as the request has them. A path has pairs alone. */
export const pathNames = (
  reader: Reader,
  flags: FlagValues,
  ...names: readonly ('via' | 'exclude' | 'path')[]
) => {
  const denomOf = (text: string, pointer: string) => reader.token(text, pointer).denom
  const found = names.map((name) => {
    const otherwise = name === 'path' ? String : denomOf
    const pointer = (i: number) => `/${name}/${i}`
    const texts = listOf(flags, name)
    return [
      name,
      texts.map((text, i) => pairOf(reader, text, pointer(i)) ?? otherwise(text, pointer(i))),
    ] as const
  })
  return Object.fromEntries(found.filter(([, list]) => list.length > 0))
}

/** A pair by its address, or by its two tokens with a slash: `btc/usdc`, `btc/usdc#9d4q`. */
function pairOf({ market, token }: Reader, text: string, pointer: string): string | undefined {
  if (isPair(market, text)) return text
  if (market.tokens.has(text)) return undefined
  const [a, b] = tokensOf(text, (word) => token(word, pointer).denom) ?? []
  return a === undefined || b === undefined
    ? undefined
    : onlyPair(text, openPairs(market, a, b), 'open ')
}

/**
 * A flag's `39500` or `39500rune`, in the token that is received.
 *
 * @throws SwapError INVALID_AMOUNT, INVALID_REQUEST for an amount of another token
 */
export function receivedAmount(
  { market, token, atomic }: Reader,
  text: string,
  output: Denom,
  flag: string,
): bigint {
  const pointer = `/${flag.slice(2).replaceAll('-', '_')}`
  return inFlag(flag, () => {
    const [amount = '', symbol] = splitGlued(text.trim().replace(/\s+/, ''), atomic)
    const received = market.tokens.get(output)
    if (!received || (symbol !== undefined && token(symbol, pointer).denom !== output))
      throw invalidRequest(`${flag} ${quote(text)} is not in the token received`, pointer, {
        why: `the swap pays ${formatToken(market, output)}`,
        hint: `write ${flag} ${shellWord(amount + typedToken(market, output))}`,
      })
    return atomic ? parseAtomic(amount, pointer) : parseAmount(amount, received, pointer)
  })
}

/**
 * How many atomics of a token are worth so many dollars at the mid prices of the books, rounded
 * down. The text is a plain decimal.
 */
function atomicsOf(market: Market, dollars: string, token: Token, pointer: string): bigint {
  const amount = atomicsWorth(market, dollars, token.denom)
  if (amount === undefined)
    throw invalidAmount(`$${dollars} of ${token.symbol} has no known price`, pointer, {
      why: `no book with both sides gives ${token.symbol} a price in dollars`,
      hint: `write the amount in ${token.symbol}`,
    })
  if (amount > 0n) return amount
  throw invalidAmount(`$${dollars} is less than one atomic of ${token.symbol}`, pointer, {
    why: 'the amount would be zero',
    hint: 'write a larger amount',
  })
}

/** Turns the arguments of `swap sroute` into the request body of the service. */
export const splitRequestOf: ReadRequest<SplitRequest> = async (
  context,
  args,
  flags,
  command = 'sroute',
) => {
  const { input, ...request } = await routeRequestOf(context, args, flags, command)
  const legs = legsOf(await readerOf(context), input.denom, flags)
  const step = stepOf(flags)
  const isSearched = legs === undefined && flags['path'] === undefined
  const isFree = flags['grid'] === false || (isSearched && step.split_step === undefined)
  return {
    input: { ...input, ...step },
    ...request,
    ...membersOf('sroute', ['max_legs'], flags),
    ...(isFree && { grid: false }),
    ...(flags['explain'] === true && isSearched && { frontier: true }),
    ...(legs && { legs }),
  }
}

/** `--split-step`, where it was given. */
export function stepOf(flags: FlagValues): { readonly split_step?: number } {
  const text = flags['splitStep']
  if (text === undefined) return {}
  return { split_step: readSplitStep(/^\d{1,9}$/.test(String(text)) ? Number(text) : text) }
}

/** `--legs 0.9:btc/usdc,rune/usdc`, once for each leg. */
function legsOf(reader: Reader, denom: string, flags: FlagValues) {
  if (flags['legs'] === undefined) return undefined
  const token = reader.market.tokens.get(denom)!
  return textsOf(flags, 'legs').map((text, i) => {
    const at = text.indexOf(':')
    const pairs = withoutCommas(text.slice(at + 1))
    if (at < 1 || text[at - 1] === '%' || pairs.length === 0) throw notLeg(text, i)
    return {
      path: pairs.map((pair, j) => pairOf(reader, pair, `/legs/${i}/path/${j}`) ?? pair),
      amount: `${inFlag('--legs', () => readAmount(reader, text.slice(0, at), token, `/legs/${i}/amount`))}`,
    }
  })
}

const notLeg = (text: string, index: number): SwapError =>
  invalidRequest(`--legs ${text.slice(0, 60)} is not a leg`, `/legs/${index}`, {
    why: 'a leg is an amount, a colon, and the pairs in order of execution; a share is not an amount',
    hint: 'write e.g. --legs 0.9:btc/usdc,rune/usdc --legs 0.6:rune/btc',
  })
