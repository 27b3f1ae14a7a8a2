import { builtInAliases, usualNames } from '../../config/naming.js'
import { SwapError } from '../../engine/errors.js'
import type { Token } from '../../engine/market/token.js'
import { foldCase, suggest } from '../../operations/suggest.js'
import { quote } from '../../render/width.js'

/** The token that a text names; `note` is for stderr, when an alias chose among several. */
type ResolvedToken = { readonly token: Token; readonly note?: string }

/**
 * Finds the one token that a text can mean: the exact denom, then the chain's name of the asset, an
 * alias, a symbol (`usdc`), a symbol with its chain (`usdc.base`), or a name (`usd coin`). Throws with candidates when none
 * or several fit. `aliases` are the configuration's, keys in lower case: they go before the built-in
 * ones, and an empty one removes its built-in namesake. `pointer` is the member of the request that the text is for.
 */
export function resolveToken(
  text: string,
  tokens: readonly Token[],
  aliases: ReadonlyMap<string, string>,
  pointer = '',
): ResolvedToken {
  refuseOtherKinds(text, tokens, pointer)
  const found = lookUp(text, { tokens, aliases, tried: [] })
  const [token] = found.tokens
  if (token === undefined) throw unknownToken(text, tokens, aliases, pointer)
  if (found.tokens.length > 1) throw ambiguousToken(text, found.tokens, tokens, pointer)
  const isChoice = found.viaName || (found.viaAlias && bySymbol(text, tokens).length > 1)
  return isChoice ? { token, note: `${foldCase(text)} = ${token.denom}` } : { token }
}

type NameTables = {
  readonly tokens: readonly Token[]
  readonly aliases: ReadonlyMap<string, string>
  /** Aliases resolved so far, so that an alias of itself ends. */
  readonly tried: readonly string[]
}

type NameMatches = {
  readonly tokens: readonly Token[]
  readonly viaAlias: boolean
  readonly viaName?: boolean
}

function lookUp(text: string, known: NameTables): NameMatches {
  const { tokens } = known
  const exact = tokens.filter(({ denom }) => denom === text)
  if (exact.length > 0) return { tokens: exact.slice(0, 1), viaAlias: false }
  const named = tokens.filter((token) => assetIds(token).includes(foldCase(text)))
  if (named.length > 0) return { tokens: named, viaAlias: false }
  const aliased = byAlias(text, known)
  if (aliased !== undefined) return { tokens: [aliased], viaAlias: true }
  // `USDC.BASE` may be a whole symbol, which its creator chose to get what is sent for another token.
  const near = [...new Set([...bySymbol(text, tokens), ...bySymbolAndChain(text, tokens)])]
  if (near.length > 0) return { tokens: near, viaAlias: false }
  return { tokens: byName(text, known), viaAlias: false, viaName: true }
}

/** Tokens of a name in the token list, such as `USD Coin`, and the token of a common name. */
function byName(text: string, known: NameTables): readonly Token[] {
  const wanted = bareName(text)
  if (wanted === '' || known.tried.includes(wanted)) return []
  const named = known.tokens.filter(({ name }) => bareName(name) === wanted)
  const symbol = usualNames.get(wanted)
  if (symbol === undefined) return named
  const usual = lookUp(symbol, { ...known, tried: [...known.tried, wanted] }).tokens
  return [...new Set([...named, ...usual])]
}

/** `USD Coin`, `usd-coin` and `usdcoin` are one name. */
const bareName = (text: string): string =>
  /^[a-z0-9 _-]{1,40}$/i.test(text) ? foldCase(text).replace(/[ _-]/g, '') : ''

/** Chain asset names of a token: `btc-btc` is `BTC-BTC` and `BTC.BTC` on the chain, `rune` is `THOR.RUNE`. */
function assetIds({ denom, kind, chain, symbol }: Token): readonly string[] {
  const id = foldCase(denom)
  return kind === 'secured' ? [id, id.replace('-', '.')] : [id, foldCase(`${chain}.${symbol}`)]
}

/** A broken alias is ignored: the name keeps the meaning it has without it. */
function byAlias(text: string, known: NameTables): Token | undefined {
  const name = foldCase(text)
  const target = known.aliases.get(name) ?? builtInAliases.get(name) ?? ''
  if (target === '' || known.tried.includes(name)) return undefined
  const found = lookUp(target, { ...known, tried: [...known.tried, name] }).tokens
  const [token] = found
  if (token === undefined || found.length > 1) return undefined
  // An alias may choose among the tokens of a symbol, but not give the symbol to another token.
  const namesakes = bySymbol(text, known.tokens)
  return namesakes.length === 0 || namesakes.includes(token) ? token : undefined
}

const bySymbol = (text: string, tokens: readonly Token[]): readonly Token[] =>
  tokens.filter(({ symbol }) => foldCase(symbol) === foldCase(text))

const bySymbolAndChain = (text: string, tokens: readonly Token[]): readonly Token[] =>
  tokens.filter(({ symbol, chain }) => foldCase(`${symbol}.${chain}`) === foldCase(text))

/** On THORChain `/` marks a synth and `~` a trade asset, which no book trades. */
function refuseOtherKinds(text: string, tokens: readonly Token[], pointer: string): void {
  const [, chain = '', mark = '', rest = ''] = /^([a-z0-9]+)([/~])(.+)$/i.exec(text) ?? []
  const isChain = tokens.some((token) => foldCase(token.chain) === foldCase(chain))
  if (mark === '' || !isChain || tokens.some(({ denom }) => denom === text)) return
  const meant = tokens.filter(
    (token) =>
      assetIds(token).includes(foldCase(`${chain}-${rest}`)) ||
      foldCase(`${token.chain}-${token.symbol}`) === foldCase(`${chain}-${rest}`),
  )
  const kind = mark === '/' ? 'synth' : 'trade asset'
  throw new SwapError('UNKNOWN_TOKEN', `${quote(text)} is a ${kind}, which has no market here`, {
    why: 'on this chain . - / ~ separate four different kinds of asset; the markets trade secured ones (-)',
    hint: listHint(meant.slice(0, 3).map(({ denom }) => denom)),
    members: { pointer, candidates: meant.slice(0, 3).map(candidate) },
  })
}

function unknownToken(
  text: string,
  tokens: readonly Token[],
  aliases: ReadonlyMap<string, string>,
  pointer: string,
): SwapError {
  const near = nearNames(text, tokens, aliases)
  const candidates = near.flatMap((name) => lookUp(name, { tokens, aliases, tried: [] }).tokens)
  return new SwapError('UNKNOWN_TOKEN', `no token is called ${quote(text)}`, {
    why: `${tokens.length} tokens are known here; none has that symbol, alias or denom`,
    hint: listHint(near),
    members: { pointer, candidates: [...new Set(candidates)].slice(0, 3).map(candidate) },
  })
}

/** Suggests `usdc.eth` for `eth.usdc`, which an edit distance does not find. */
function nearNames(
  text: string,
  tokens: readonly Token[],
  aliases: ReadonlyMap<string, string>,
): readonly string[] {
  const turned = text.split('.').reverse().join('.')
  if (turned !== text && bySymbolAndChain(turned, tokens).length > 0) return [turned]
  const names = [...aliases.keys(), ...builtInAliases.keys()].filter(
    (name) => byAlias(name, { tokens, aliases, tried: [] }) !== undefined,
  )
  return suggest(text, [...tokens.map(({ symbol }) => foldCase(symbol)), ...names])
}

const listHint = (names: readonly string[]): string =>
  names.length === 0
    ? 'list them: swap tokens'
    : `did you mean ${names.join(', ')}?      list them: swap tokens`

function ambiguousToken(
  text: string,
  fitting: readonly Token[],
  tokens: readonly Token[],
  pointer: string,
): SwapError {
  const message = `${quote(text)} could be any of ${fitting.length} tokens here`
  const candidates = fitting.map((each) => ({ ...candidate(each), alias: aliasOf(each, tokens) }))
  return new SwapError('AMBIGUOUS_TOKEN', message, {
    why: 'these tokens share the symbol, and none is chosen for you',
    hint: 'write one of the aliases instead',
    members: { pointer, candidates },
  })
}

const candidate = ({ denom, symbol }: Token) => ({ denom, symbol })

/** The shortest unambiguous text for this token: `usdc.base`, or its denom. */
function aliasOf(token: Token, tokens: readonly Token[]): string {
  const short = foldCase(`${token.symbol}.${token.chain}`)
  const meant = lookUp(short, { tokens, aliases: new Map(), tried: [] }).tokens
  return meant.length === 1 && meant[0] === token ? short : token.denom
}
