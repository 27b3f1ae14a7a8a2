import { demoChainId } from '../../../config/network.js'
import { invalidRequest } from '../../../engine/errors.js'
import { type Coin, sumByDenom } from '../../../engine/market/token.js'
import { printable } from '../../../platform/printable.js'
import { type Naming, namesOf } from '../../../render/names.js'
import type { Style } from '../../../render/style.js'
import { quote } from '../../../render/width.js'
import { addressOrDefault } from '../../accounts/default-signer.js'
import { accountNamed } from '../../accounts/named-accounts.js'
import {
  type AmountAndToken,
  parseAmount,
  parseAtomic,
  splitAmountToken,
} from '../../arguments/amount.js'
import { resolveToken } from '../../arguments/token-names.js'
import type { Context } from '../../command.js'
import { invalidAmount } from '../../invalid-request.js'
import { namingIn, pipeLines, printAnswer } from '../../print-answer.js'
import type { DemoGiven } from './demo-answers.js'

/** A payout of play money; amounts in whole units. */
function renderGiven(
  { tx_hash, height, address, coins }: DemoGiven,
  naming: Naming,
  style: Style,
): string {
  const names = namesOf(naming, style)
  if (style.tty)
    return [
      `${style.good('paid')} ${coins.map(names.coin).join(', ')} to ${printable(address)}`,
      `  block ${height ?? '(none yet)'}`,
      `  tx ${tx_hash}`,
    ].join('\n')
  const amounts = coins.map((coin) => `${names.units(coin)} ${names.symbol(coin.denom)}`)
  const numbered = Object.fromEntries(amounts.map((amount, at) => [at + 1, amount]))
  return pipeLines({ tx_hash, height, address, coin: numbered })
}

const CALL = 'swap demo faucet [address] [coins]'

/** Refuses names that would be those of another network. @throws SwapError INVALID_REQUEST */
export function requireDemo({ network }: Context['config']): void {
  if (network.chainId === demoChainId) return
  throw invalidRequest('this is for the demo network', '/network', {
    why: `the network here is ${network.name}, whose accounts, tokens and pairs are others`,
    hint: 'add -n demo',
  })
}

/** Pays play money to an address. */
export async function runFaucet(context: Context, args: readonly string[]): Promise<void> {
  const { out } = context
  requireDemo(context.config)
  const { address, words } = await accountOf(context, args)
  const coins = await coinsIn(context, words)
  const given = await (await context.demo()).give(address, coins)
  if (given.height === null) out.note('no block holds it yet: see swap demo status')
  return printAnswer(context, given, {
    quiet: () => given.tx_hash,
    human: async () => renderGiven(given, await namingIn(context), out.style),
  })
}

/** The account of the first argument, else the default key; the remaining arguments are coins. */
async function accountOf(context: Context, args: readonly string[]) {
  const [first, ...words] = args
  const isCoin = first === undefined || /^\d*\.?\d/.test(first)
  // A key may be named 1st: a name takes precedence over an amount.
  const isNamed =
    first !== undefined && (!isCoin || (await accountNamed(context, first)) !== undefined)
  const named = { pointer: '/address', what: 'the address', call: CALL }
  const address = await addressOrDefault(context, isNamed ? first : undefined, named)
  return { address, words: isNamed ? words : args }
}

/** `100rune 2btc`, `100 rune,2 btc`: amounts, each with a token. */
async function coinsIn(
  { app, config, form, out }: Context,
  words: readonly string[],
): Promise<readonly Coin[]> {
  const asked = amountsIn(words)
  if (asked.length === 0) return []
  const { market } = await app.openMarket()
  const tokens = [...market.tokens.values()]
  const coins: Coin[] = []
  for (const { amount, token: name } of asked) {
    const { token, note } = resolveToken(name, tokens, config.aliases, '/coins')
    if (note !== undefined) out.note(note)
    const atomics = form.atomic
      ? parseAtomic(amount, '/coins')
      : parseAmount(amount, token, '/coins')
    coins.push({ denom: token.denom, amount: atomics })
  }
  return sumByDenom(coins)
}

function amountsIn(words: readonly string[]): readonly AmountAndToken[] {
  // `1,000usdc` stays whole, so that the amount parser refuses it.
  const parts = words
    .flatMap((word) => (/^[\d._]*\d,\d/.test(word) ? [word] : word.split(',')))
    .filter((part) => part !== '')
  const asked: AmountAndToken[] = []
  for (let at = 0; at < parts.length; at++) {
    const [part = '', next] = [parts[at]?.trim(), parts[at + 1]?.trim()]
    const glued = splitAmountToken(part)
    if (glued) asked.push(glued)
    else if (/^[\d.]/.test(part) && next !== undefined) {
      asked.push({ amount: part, token: next })
      at += 1
    } else
      throw invalidAmount(`${quote(part)} is not an amount with its token`, '/coins', {
        why: `the call is ${CALL}`,
        hint: 'write e.g. 100rune 2btc',
      })
  }
  return asked
}
