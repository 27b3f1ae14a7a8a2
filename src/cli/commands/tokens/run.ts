import { counted } from '../../../engine/math/counted.js'
import { append } from '../../../engine/math/grouped.js'
import { suggest } from '../../../operations/suggest.js'
import { tokens } from '../../../operations/tokens/tokens.js'
import type { TokenDocument, TokensAnswer } from '../../../operations/tokens/tokens-documents.js'
import { formatTablePrice, orDash } from '../../../render/amount.js'
import { csv, foreignColumns, memberColumns, tabRows } from '../../../render/csv.js'
import { fields, formOf, paragraph, titledSections } from '../../../render/layout.js'
import { type NamedToken, type Names, namesOf, type View } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { table } from '../../../render/table.js'
import { quote } from '../../../render/width.js'
import type { Context } from '../../command.js'
import { printAnswer } from '../../print-answer.js'

/** One row for each token, under the names of the document. */
export const tokensCsv = ({ tokens: listed }: TokensAnswer): string =>
  csv(listed, [
    ...foreignColumns('denom', 'symbol', 'name', 'chain', 'kind', 'contract'),
    ...memberColumns('decimals', 'price_usd', 'pairs'),
    ...foreignColumns('logo_uri'),
  ])

/** Lists the tokens of the market, or those that match a query. */
export async function runTokens(context: Context, [query]: readonly string[]): Promise<void> {
  const { app, config, out } = context
  const answer = filterTokens(await tokens(app), query, config.aliases)
  return printAnswer(context, answer, {
    quiet: () => answer.tokens.map(({ denom }) => denom).join('\n'),
    csv: () => tokensCsv(answer),
    async human() {
      const { tokens: known } = (await app.openMarket()).market
      const symbols = [...known.values()].map(({ symbol }) => symbol)
      const suggestions = query === undefined ? [] : suggest(query, symbols)
      return renderTokens(answer, { query, aliases: config.aliases, suggestions, known }, out.style)
    },
  })
}

/** Filters tokens by a query: an alias, or a part of symbol, name, denom or chain. */
function filterTokens(
  answer: TokensAnswer,
  query: string | undefined,
  aliases: ReadonlyMap<string, string>,
): TokensAnswer {
  if (query === undefined) return answer
  const wanted = query.toLowerCase()
  const alias = aliases.get(wanted)
  return {
    ...answer,
    tokens: answer.tokens.filter(
      ({ symbol, name, denom, chain }) =>
        denom === alias ||
        [symbol, name, denom, chain].some((text) => text.toLowerCase().includes(wanted)),
    ),
  }
}

type TokensContext = {
  readonly query?: string | undefined
  /** Aliases, keys in lower case. */
  readonly aliases: ReadonlyMap<string, string>
  /** Suggestions if nothing matches. */
  readonly suggestions?: readonly string[] | undefined
  /** Every token of the market if the answer is filtered: they decide which names are ambiguous. */
  readonly known?: ReadonlyMap<string, NamedToken> | undefined
}

type TokensView = View<TokensAnswer, TokensContext>

/** The tokens: a table for people; in a pipe tab-separated rows without a heading. */
export function renderTokens(answer: TokensAnswer, context: TokensContext, style: Style): string {
  if (!style.tty) return tabRows(answer.tokens, rowColumns)
  const view = { answer, context, names: namesIn(answer, context, style), style }
  return titledSections(titleOf(view), answer, style, [tokenLines(view), sharedLines(view)])
}

/** A row for each token, unknown values empty. */
const rowColumns = [
  ...memberColumns('symbol', 'denom', 'price_usd', 'pairs', 'decimals'),
  ...memberColumns('chain', 'kind', 'name'),
]

function namesIn({ tokens }: TokensAnswer, { known, aliases }: TokensContext, style: Style): Names {
  const listed = new Map(tokens.map((token) => [token.denom, token]))
  return namesOf(
    { tokens: new Map<string, NamedToken>([...(known ?? []), ...listed]), aliases },
    style,
  )
}

function titleOf({ answer, context }: TokensView): string {
  const { length } = answer.tokens
  const count = counted(length, 'token')
  if (context.query === undefined) return `${count} with a market`
  const matching =
    length === 0 ? 'nothing matches' : `${count} ${length === 1 ? 'matches' : 'match'}`
  return `${matching} ${quote(context.query)}`
}

function tokenLines({ answer, context, names, style }: TokensView): readonly string[] {
  const { tokens } = answer
  if (tokens.length === 0) {
    const { suggestions = [] } = context
    const meant = suggestions.map(names.text).join(', ')
    return paragraph(`${meant && `did you mean ${meant}?   `}all tokens: swap tokens`, style)
  }
  if (formOf(style) === 'stacked') return tokens.flatMap((token) => stackedRow(token, names))
  return table(tokens, style, [
    ['SYMBOL', ({ denom }) => names.ticker(denom)],
    ['ALIAS', ({ denom }) => names.text(names.typed(denom)), { isWide: true }],
    ['DENOM', ({ denom }) => names.text(denom), { shrink: 14 }],
    ['PRICE $', (token) => priceText(token, style), { align: 'right' }],
    ['PAIRS', ({ pairs }) => `${pairs}`, { align: 'right', drop: 1 }],
    ['DEC', ({ decimals }) => `${decimals}`, { align: 'right', drop: 2, isWide: true }],
  ])
}

const priceText = ({ price_usd }: TokenDocument, style: Style): string =>
  orDash(price_usd, (price) => formatTablePrice(price, style))

function stackedRow(token: TokenDocument, names: Names): readonly string[] {
  const { style } = names
  const pieces = [`$ ${priceText(token, style)}`, counted(token.pairs, 'pair')]
  return fields(style, [
    [names.ticker(token.denom), pieces],
    ['', [names.short(token.denom, style.width - 12)]],
  ])
}

/** For each ambiguous symbol: the token it resolves to, and names for the others. */
function sharedLines({ answer, context, names, style }: TokensView): readonly string[] {
  const groups = new Map<string, string[]>()
  for (const { denom, symbol } of answer.tokens) append(groups, symbol.toLowerCase(), denom)
  return [...groups]
    .filter(([, denoms]) => denoms.length > 1)
    .flatMap(([name, denoms]) => paragraph(sharedText(name, denoms, context, names), style))
}

function sharedText(
  name: string,
  denoms: readonly string[],
  { aliases, known }: TokensContext,
  names: Names,
): string {
  const isDenom = denoms.includes(name) || known?.has(name) === true
  const meant = isDenom ? name : aliases.get(name)
  const typed = denoms.filter((denom) => denom !== meant).map(names.typed)
  const others = names.text(typed.join(', '))
  const called = `${denoms.length} tokens are called ${names.ticker(denoms[0]!)}`
  const shared = `${called}; "${names.short(name, 24)}" alone`
  return meant
    ? `${shared} means ${names.short(meant, 28)}. Others: ${others}`
    : `${shared} is refused. Write: ${others}`
}
