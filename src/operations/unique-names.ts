import type { Denom, Token } from '../engine/market/token.js'
import { isPlainWord } from '../platform/shell-word.js'

type Named = Pick<Token, 'symbol' | 'chain'>

/**
 * Printable ASCII and emoji, or scripts of East Asia without ASCII letters, among which some of their characters look
 * like letters.
 */
const UNMISTAKABLE =
  /^([\x21-\x7e\p{Emoji_Presentation}]+|[\x21-@[-`{-~\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]+)$/u

/** Whether a symbol cannot be taken for another one of ASCII characters. */
export const isUnmistakable = (symbol: string): boolean =>
  UNMISTAKABLE.test(symbol) &&
  symbol.normalize('NFKC') === symbol &&
  !/\p{Default_Ignorable_Code_Point}/u.test(symbol)

/** What means a token whatever the symbols of others are: its denom, and the chain's names of an asset. */
const idsOf = (denom: Denom, { symbol, chain }: Named): readonly string[] =>
  [denom, denom.replace('-', '.'), `${chain}.${symbol}`].map((id) => id.toLowerCase())

/**
 * The unique name of a token: its symbol, or symbol and chain; `undefined` if neither is unique, if they are the denom
 * of another token, or if the symbol has characters that can look like another symbol. Creators of tokens choose
 * symbols: `USDC.base` may be a whole symbol.
 *
 * @param aliases in lower case; only the denom of the alias `usdc` is named by a bare `USDC`
 */
export function uniqueNames({
  tokens,
  aliases,
}: {
  readonly tokens: ReadonlyMap<Denom, Named>
  readonly aliases?: ReadonlyMap<string, Denom> | undefined
}): (denom: Denom) => string | undefined {
  const bare = ({ symbol }: Named) => symbol.toLowerCase()
  const full = (token: Named) => `${bare(token)}.${token.chain.toLowerCase()}`
  const counts = new Map<string, number>()
  const owners = new Map<string, Denom>()
  for (const [denom, token] of tokens) {
    for (const id of idsOf(denom, token)) owners.set(id, denom)
    for (const name of [bare(token), full(token)]) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return (denom) => {
    const token = tokens.get(denom)
    if (token === undefined || !isUnmistakable(token.symbol)) return undefined
    const isOwn = (name: string) => (owners.get(name) ?? denom) === denom
    const meant = aliases?.get(bare(token))
    const isBare = meant ? meant === denom : counts.get(bare(token)) === 1
    if (isBare && isOwn(bare(token))) return token.symbol
    return counts.get(full(token)) === 1 && isOwn(full(token))
      ? `${token.symbol}.${token.chain.toLowerCase()}`
      : undefined
  }
}

/** A token as it can be typed in a shell: its unique name in lower case, or its denom, which is case-sensitive. */
export function typedName(name: string | undefined, denom: Denom): string {
  const typed = name?.toLowerCase() ?? denom
  return isPlainWord(typed) ? typed : denom
}
