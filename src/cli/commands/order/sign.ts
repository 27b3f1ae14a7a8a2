import { type Json, SwapError } from '../../../engine/errors.js'
import type { Market } from '../../../engine/market/market.js'
import type { Coin } from '../../../engine/market/token.js'
import type { Report } from '../../../execution/lifecycle/result.js'
import type { Account } from '../../../execution/ports.js'
import { type OrderTask, requireKey } from '../../../execution/task.js'
import { type OperationContext, openOnce } from '../../../operations/context.js'
import {
  type OrderDraft,
  planOrders,
  previewDocument,
} from '../../../operations/orders/order-preview.js'
import type { OrderPreviewAnswer } from '../../../operations/orders/order-preview-documents.js'
import { fields } from '../../../render/layout.js'
import { type Names, namesOf } from '../../../render/names.js'
import type { Context, FlagValues } from '../../command.js'
import { accountOf } from '../../execution/account.js'
import {
  carryOut,
  type Incomplete,
  signs,
  unlessExecuted,
  whileExecuting,
} from '../../execution/carry-out.js'
import type { DryRunParts } from '../../execution/modes.js'
import { requestText, signingTermsOf } from '../../execution/terms.js'
import { marketNaming } from '../../print-answer.js'

/** The messages of a call, and the balance of which they offer a share; `incomplete` if some orders could not be read. */
type Drafts = {
  readonly drafts: readonly OrderDraft[]
  readonly shareOf?: Coin
  readonly incomplete?: Incomplete
}

/** A call of `swap order`: the verb with its arguments, and its flags. */
type OrderCall = {
  readonly words: readonly [verb: string, ...args: string[]]
  readonly flags: FlagValues
}

/** Signs and sends order messages, or prints them with `--dry-run` and similar flags. */
export const signOrders = (
  context: Context,
  { words: [verb, ...args], flags }: OrderCall,
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
    const { slippage } = drafts[0] ?? {}
    const named = { ...task, terms: { ...terms, request, shareOf } }
    const parts = dryRunParts(context, account)
    return carryOut(call, named, {
      dryRunParts: parts,
      ...(slippage && { slippage }),
      ...whole,
      ...more,
    })
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
      return use((app) => planOrders(at(app, market), account.address, meant))
    },
  }
}

/** The context of an operation on a market that was read for execution. */
const at = (app: OperationContext, market: Market): OperationContext => ({
  ...app,
  ...openOnce(async () => market),
})

/** Previews of the messages, with the router's output for what they take at once. */
const dryRunParts =
  ({ app, config, out }: Context, { address }: Account): DryRunParts =>
  async ({ view, market }) => {
    if (view.kind !== 'order') throw new Error('these are no orders')
    const previews = await Promise.all(
      view.messages.map(({ planned }) => previewDocument(at(app, market), planned, address)),
    )
    const names = namesOf(marketNaming(market, config), out.style)
    return {
      members: { previews },
      pipe: { preview: previews.map(({ excluded: _, tx: __, ...preview }) => preview) },
      quiet: () => previews.flatMap(({ orders }) => orders.map(({ id }) => id)).join('\n'),
      lines: fields(
        out.style,
        previews.map(({ router }) => router !== null && ['Router', routerPieces(router, names)]),
      ),
    }
  }

const routerPieces = (
  { input, output, received, exact }: NonNullable<OrderPreviewAnswer['router']>,
  names: Names,
): readonly string[] => [
  `${exact ? 'pays' : 'would pay about'} ${names.coin(output)} for the ${names.coin(input)} taken now`,
  `the order ${names.coin({ ...output, amount: received })}`,
]
