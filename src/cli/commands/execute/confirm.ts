import { routerOrigin } from '../../../config/configured.js'
import { SwapError } from '../../../engine/errors.js'
import type { Order } from '../../../execution/order.js'
import type { SigningRecords } from '../../../execution/plan/limits.js'
import type { SigningView } from '../../../execution/plan/signing-view.js'
import type { Style } from '../../../render/style.js'
import { namedAccounts } from '../../accounts/named-accounts.js'
import type { Context } from '../../command.js'
import { Interrupted } from '../../exit.js'
import { marketNaming } from '../../print-answer.js'
import { questionOf } from './question.js'
import { type ConfirmContext, renderConfirm, renderWhole } from './render-confirm.js'
import { allowanceOf, type Invocation } from './session.js'
import { blockTimeOf } from './terms.js'

/** Above this price impact the symbol has to be typed whatever the amount, in basis points. */
const HIGH_BPS = 300

/** The confirmation before signing: on the terminal, by a flag, or none. */
export const confirmer =
  (context: Context, records: SigningRecords, call: Invocation, order: Order) =>
  async (view: SigningView): Promise<void> => {
    const { flags, asking, interrupt } = call
    const { output } = order.requested.legs[0]!
    const symbol = view.tokens.get(output)?.symbol ?? output
    requireRecipient(flags, order)
    const confirmation = flags['confirm']
    if (typeof confirmation === 'string') requireSymbol(confirmation, symbol)
    if (order.terms.unattended) return
    if (asking.terminal() === undefined) throw confirmationMissing(symbol)
    const { config, out } = context
    const naming = await confirmContext(context, records, view)
    const typed = needsTyping(view, config.values.confirmAbove) ? symbol : undefined
    const lines = (style: Style) => ({
      screen: renderConfirm(view, naming, style),
      question: questionOf(view, typed, style),
      whole: renderWhole(view, style),
    })
    const { askOnScreen } = await import('./screen.js')
    const answer = await askOnScreen(lines, out.noteStyle, interrupt)
    if (answer === undefined) throw new Interrupted()
    if (answer.kind !== 'sign') throw declined(answer.line, typed)
  }

/** The data of the confirmation screen beside the bytes: names, source of the router, times, limits. */
export async function confirmContext(
  context: Context,
  records: SigningRecords,
  { decoded }: SigningView,
): Promise<ConfirmContext> {
  const { app, config } = context
  const { market } = await app.openMarket()
  const owner = { chainId: decoded.chainId, address: decoded.sender }
  const accounts = await namedAccounts(context)
  return {
    accounts: new Map(accounts.map(({ address, name }) => [address, name])),
    ...marketNaming(market, config),
    routerOrigin: routerOrigin(config, context.surroundings.home),
    blockMs: blockTimeOf(config),
    allowance: allowanceOf(config, records, owner, market),
  }
}

const needsTyping = ({ worthMicroUsd, impactBps }: SigningView, confirmAbove: bigint): boolean =>
  worthMicroUsd === undefined ||
  worthMicroUsd >= confirmAbove ||
  impactBps === null ||
  impactBps >= HIGH_BPS

/** A recipient other than the signer has to be given twice, also unattended. */
function requireRecipient(flags: Invocation['flags'], { terms, account }: Order): void {
  const { to } = terms
  if (to === undefined || to === account.address) return
  if (flags['confirmTo'] === to) return
  throw new SwapError('CONFIRMATION_REQUIRED', 'the output would go to another account', {
    why: `${to} is not the account that signs`,
    hint: `if that is intended, repeat the address: --confirm-to ${to}`,
  })
}

/** Compares `--confirm` with the token received. @throws SwapError DECLINED */
export function requireSymbol(decoded: string, symbol: string): void {
  if (decoded.toUpperCase() === symbol.toUpperCase()) return
  throw new SwapError('DECLINED', `--confirm ${decoded.slice(0, 40)} is not what is received`, {
    why: `the swap pays ${symbol}; nothing was signed`,
    hint: `if that is meant: --confirm ${symbol}`,
  })
}

const confirmationMissing = (symbol: string): SwapError =>
  new SwapError(
    'CONFIRMATION_REQUIRED',
    'this needs a confirmation, and there is no terminal to ask at',
    {
      why: 'there is no terminal, or --no-input was given',
      hint: `answer it: --confirm ${symbol} --slippage 0.5%; or sign without being asked: --yes --slippage 0.5%`,
    },
  )

const declined = (answer: string, symbol: string | undefined): SwapError =>
  new SwapError('DECLINED', 'not confirmed, so nothing was signed', {
    why:
      answer === ''
        ? 'nothing was typed'
        : `you typed "${answer.slice(0, 40)}", and ${symbol ?? 'y'} was asked for`,
    hint: 'run the command again when you want it',
  })
