import { type Json, SwapError } from '../../../engine/errors.js'
import type { Coin } from '../../../engine/market/token.js'
import type { Report } from '../../../execution/lifecycle/result.js'
import type { Account } from '../../../execution/ports.js'
import { type OrderTask, requireKey } from '../../../execution/task.js'
import { type OperationContext, openOnce } from '../../../operations/context.js'
import { type OrderDraft, planOrders } from '../../../operations/orders/order-preview.js'
import type { Context, FlagValues } from '../../command.js'
import { accountOf } from '../../execution/account.js'
import {
  carryOut,
  type Incomplete,
  signs,
  unlessExecuted,
  whileExecuting,
} from '../../execution/carry-out.js'
import { requestText, signingTermsOf } from '../../execution/terms.js'

/** The messages of a call, and the balance of which they offer a share; `incomplete` if some orders could not be read. */
type Drafts = {
  readonly drafts: readonly OrderDraft[]
  readonly shareOf?: Coin
  readonly incomplete?: Incomplete
}

/** Signs and sends order messages, or prints them with `--dry-run` and similar flags. */
export const signOrders = (
  context: Context,
  [verb, ...args]: readonly [verb: string, ...args: string[]],
  flags: FlagValues,
  draftsOf: (account: Account) => Promise<Drafts>,
): Promise<void> =>
  whileExecuting(context, flags, async (call) => {
    // The demo chain must be running before its market is read.
    await call.parts.chain()
    // Several transactions need the password several times.
    const account = await accountOf(context, { ...flags, mode: 'legs' }, call.asking)
    if (signs(flags)) requireKey(account)
    const request = requestText(`order ${verb}`, args, flags)
    const whole = flags['fok'] === true ? { incomplete: unfilled } : {}
    const asked = { call, account, request, isOrder: true, ...whole }
    const made = await unlessExecuted(asked, () => draftsOf(account))
    if (made === undefined) return
    const { drafts, shareOf, ...more } = made
    const { terms, ...task } = await orderTask(context, account, drafts, flags)
    const named = { ...task, terms: { ...terms, request, shareOf } }
    return carryOut(call, named, { slippage: drafts[0]?.slippage, ...whole, ...more })
  })

/** The error of a fill-or-kill order of which a part came back: the chain knows none, and the book had changed. */
function unfilled({ id, status, txs, ...report }: Report): SwapError | undefined {
  const [order] = 'orders' in report ? report.orders : []
  if (order?.paid?.every(({ denom }) => denom !== order.funds[0]?.denom) ?? true) return undefined
  return new SwapError('PARTIALLY_EXECUTED', 'the order was not filled completely', {
    why: 'the book became thinner before the block, and what it did not take came back',
    hint: 'nothing rests; run the command again for the rest, if it is still wanted',
    members: {
      id,
      state: status,
      tx_hash: txs.at(-1)?.hash ?? null,
      cause: null,
      orders: [order] as unknown as Json,
    },
  })
}

/** Runs work with the context of an operation, whose chain is queried. */
type UseMarket = <T>(work: (app: OperationContext) => Promise<T>) => Promise<T>

/** The task of some drafts: a single message is one transaction; several are grouped by their gas. */
export async function orderTask(
  context: Context,
  account: Account,
  drafts: readonly OrderDraft[],
  flags: FlagValues,
  use: UseMarket = (work) => work(context.app),
): Promise<OrderTask> {
  const isPrinted = flags['generateOnly'] === true || flags['signOnly'] === true
  const mode = drafts.length === 1 || isPrinted ? 'batch' : 'legs'
  return {
    account,
    terms: { ...(await signingTermsOf(context, flags)), mode },
    count: drafts.length,
    pricedBy: drafts[0]?.pricedBy,
    async plan(market, indexes) {
      // The confirmation may have taken longer than the time limit of a query.
      await context.renewTimeout?.()
      const meant = indexes.map((i) => drafts[i]!)
      return use((app) => {
        const here = { ...app, ...openOnce(async () => market) }
        return planOrders(here, account.address, meant)
      })
    },
  }
}
