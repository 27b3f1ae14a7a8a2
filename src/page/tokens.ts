import type { Token } from '../engine/market/token.js'
import { isUnmistakable } from '../operations/unique-names.js'

/** Display data of a token. */
export type PageToken = Pick<Token, 'denom' | 'symbol' | 'name' | 'chain' | 'decimals'> & {
  /**
   * The symbol, with the chain where another token has the same symbol; `ETH` of the chain ETH is the symbol alone.
   * The denom, where that is the label or the denom of another token, or can be taken for another one.
   */
  readonly label: string
}

type Listed = Omit<PageToken, 'label'>

/** Tokens in the given order, each with a label of its own. */
export function withLabels(tokens: readonly Listed[]): readonly PageToken[] {
  const isShared = repeated(tokens.map(({ symbol }) => symbol))
  const short = ({ symbol, chain }: Listed) =>
    !isShared(symbol) || symbol === chain ? symbol : `${symbol}.${chain}`
  // Creators of tokens choose symbols: `USDC.ETH` may be a whole one.
  const isTaken = repeated(
    tokens.flatMap((token) => [
      ...new Set([short(token), token.denom].map((name) => name.toLowerCase())),
    ]),
  )
  return tokens.map((token) => {
    const { denom, symbol, name, chain, decimals } = token
    const label = short(token)
    const isOwn = isUnmistakable(label) && !isTaken(label.toLowerCase())
    return { denom, symbol, name, chain, decimals, label: isOwn ? label : denom }
  })
}

/** Whether a text is more than once in a list. */
function repeated(texts: readonly string[]): (text: string) => boolean {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return (text) => counts.get(text) !== 1
}

/** Tokens whose label, name or denom holds every word of a text; those that begin with it first. */
export function searchTokens(tokens: readonly PageToken[], text: string): readonly PageToken[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return tokens
  const words = wanted.split(/\s+/)
  const isFound = ({ label, name, denom }: PageToken) => {
    const all = `${label} ${name} ${denom}`.toLowerCase()
    return words.every((word) => all.includes(word))
  }
  const rank = ({ label }: PageToken) => (label.toLowerCase().startsWith(wanted) ? 0 : 1)
  return tokens.filter(isFound).sort((a, b) => rank(a) - rank(b))
}

/** The token that a text names: its denom, its label, or a symbol, of which the most liquid token is meant. */
export function tokenNamed(tokens: readonly PageToken[], text: string): PageToken | undefined {
  const wanted = text.trim().toLowerCase()
  const by = (nameOf: (token: PageToken) => string) =>
    tokens.find((token) => nameOf(token).toLowerCase() === wanted)
  return by(({ denom }) => denom) ?? by(({ label }) => label) ?? by(({ symbol }) => symbol)
}
