import { routerOrigin } from '../../config/configured.js'
import { SwapError } from '../../engine/errors.js'
import { wantedDenom } from '../../engine/orders/order-message.js'
import type { SigningRecords } from '../../execution/plan/limits.js'
import type { SignedContent, SigningView } from '../../execution/plan/signing-view.js'
import type { Task } from '../../execution/task.js'
import { printable } from '../../platform/printable.js'
import { shellWord } from '../../platform/shell-word.js'
import { paragraph } from '../../render/layout.js'
import { confirmationWord } from '../../render/names.js'
import type { Style } from '../../render/style.js'
import { namedAccounts } from '../accounts/named-accounts.js'
import type { Context } from '../command.js'
import { marketNaming } from '../print-answer.js'
import { noTerminal } from '../terminal.js'
import { type ConfirmContext, money, renderWhole } from './confirm-fields.js'
import { renderOrderConfirm, renderSwapConfirm } from './render-confirm.js'
import type { Question } from './screen.js'
import { allowanceOf, type Invocation } from './session.js'
import { blockTimeOf } from './terms.js'

/** Price impact, in basis points, from which the symbol must be typed for any amount. */
const HIGH_BPS = 300

/** Confirms before signing: at the terminal, by a flag, or not at all. */
export const confirmer =
  ({ context, parts, flags, asking, interrupt }: Invocation, task: Task) =>
  async (view: SigningView): Promise<void> => {
    const { config, out } = context
    const { aliases } = config
    const symbol = confirmationWord(wantedIn(view), { tokens: view.tokens, aliases })
    // A recipient other than the signer must be given twice, also with `--yes`.
    const to = 'to' in task.terms ? task.terms.to : undefined
    if (to !== undefined && to !== task.account.address) requireConfirmedTo(flags, to)
    const confirmation = flags['confirm']
    if (typeof confirmation === 'string') requireSymbol(confirmation, symbol)
    if (task.terms.unattended) return
    if (asking.terminal() === undefined) {
      const guard = view.kind === 'swap' ? ' --slippage 0.5%' : ''
      throw confirmationMissing(
        `answer it: --confirm ${shellWord(symbol)}${guard}; or sign without a confirmation: --yes${guard}`,
      )
    }
    const naming = await confirmContext(context, parts, view)
    const typed = needsTyping(view, config.values.confirmAbove) ? symbol : undefined
    const lines = (style: Style) => ({
      screen: renderConfirm(view, naming, style),
      question: questionOf(view, typed, style),
      whole: renderWhole(view, style),
    })
    const { askOnScreen } = await import('./screen.js')
    const answer = await askOnScreen(lines, out.noteStyle, interrupt)
    if (answer.kind !== 'sign') throw notConfirmed(answer.line, typed)
  }

/** The received token; for orders, the one that the first of them is paid in. */
function wantedIn(view: SigningView): string {
  if (view.kind === 'swap') return view.calls[0]!.least.denom
  const { decoded, planned } = view.messages[0]!
  return wantedDenom(planned.pair, decoded.entries[0]!.side)
}

/**
 * The question under the confirmation screen.
 *
 * @param symbol what must be typed; `undefined`: y
 */
export function questionOf(
  { worthMicroUsd }: Pick<SigningView, 'worthMicroUsd'>,
  symbol: string | undefined,
  style: Style,
): Question {
  const begins = (letter: string) => symbol?.toLowerCase().startsWith(letter) === true
  // A letter that begins the symbol is taken as its beginning, not as an answer.
  const show = begins('s') ? ['?'] : ['s', 'show', 'show all', '?']
  const decline = begins('n') ? [] : ['n', 'no']
  const sign = symbol === undefined ? ['y', 'yes'] : [symbol.toLowerCase()]
  const worth =
    worthMicroUsd === undefined ? 'Worth not known.' : `Worth about ${money(worthMicroUsd)}.`
  const options = [
    symbol === undefined ? 'Sign and send? [y]es' : `Type ${printable(symbol)} to sign and send`,
    begins('s') ? '[?] show all' : '[s]how all',
    begins('n') ? 'anything else cancels' : '[N]o',
  ]
  const words = [...show, ...decline, ...(symbol === undefined ? sign : [])]
  return {
    lines: paragraph(`${worth} ${options.join(' / ')}`, style),
    kindOf(line) {
      const word = line.trim().toLowerCase()
      if (word === '') return 'again'
      if (sign.includes(word)) return 'sign'
      return show.includes(word) ? 'show' : 'decline'
    },
    isWhole: (line) => words.includes(line.toLowerCase()),
  }
}

export const renderConfirm = (
  view: SigningView,
  context: ConfirmContext,
  style: Style,
): readonly string[] =>
  view.kind === 'swap'
    ? renderSwapConfirm(view, context, style)
    : renderOrderConfirm(view, context, style)

/** Data of the confirmation screen beside the bytes: names, origin of the router, times, limits. */
export async function confirmContext(
  context: Context,
  records: SigningRecords,
  { decoded }: SignedContent,
): Promise<ConfirmContext> {
  const { app, config } = context
  const { market } = await app.openMarket()
  const owner = { chainId: decoded.chainId, address: decoded.sender }
  const accounts = await namedAccounts(context)
  return {
    accounts: new Map(accounts.map(({ address, name }) => [address, name])),
    ...marketNaming(market, config),
    routerOrigin: routerOrigin(config, context.surroundings.home),
    blockMs: await blockTimeOf(context),
    allowance: allowanceOf(config, records, owner, market),
  }
}

/** Whether the symbol of what is received has to be typed; for less, a `y` signs. */
export const needsTyping = (view: SigningView, confirmAbove: bigint): boolean =>
  view.worthMicroUsd === undefined ||
  view.worthMicroUsd >= confirmAbove ||
  (view.kind === 'swap' && (view.impactBps === null || view.impactBps >= HIGH_BPS))

/** Compares `--confirm-to` with a recipient that is not the signer. @throws SwapError CONFIRMATION_REQUIRED */
export function requireConfirmedTo(flags: Invocation['flags'], to: string): void {
  if (flags['confirmTo'] === to) return
  throw new SwapError('CONFIRMATION_REQUIRED', 'the output would go to another account', {
    why: `${to} is not the account that signs`,
    hint: `if that is intended, repeat the address: --confirm-to ${shellWord(to)}`,
  })
}

/** Compares `--confirm` with the received token. @throws SwapError DECLINED */
export function requireSymbol(decoded: string, symbol: string): void {
  if (decoded.toUpperCase() === symbol.toUpperCase()) return
  throw new SwapError('DECLINED', `--confirm ${decoded.slice(0, 40)} is not what is received`, {
    why: `the swap pays ${symbol}; nothing was signed`,
    hint: `if that is meant: --confirm ${shellWord(symbol)}`,
  })
}

/** The error of a required confirmation without a terminal. */
export const confirmationMissing = (hint: string): SwapError =>
  noTerminal('this needs a confirmation', hint)

export const notConfirmed = (answer: string, symbol: string | undefined): SwapError =>
  new SwapError('DECLINED', 'not confirmed, so it was not signed', {
    why:
      answer === ''
        ? 'nothing was typed'
        : // What is as long as a password may be one.
          `${answer.length < 12 ? `you typed "${answer}", and ` : ''}${symbol ?? 'y'} was expected`,
    hint: 'run the command again when you want it',
  })
