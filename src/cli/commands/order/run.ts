import type { Account } from '../../../execution/ports.js'
import type { Run } from '../../command.js'
import { withShare } from '../../execution/balance-share.js'
import { closingDrafts, leftUnread, replaceDraft } from './change.js'
import { ladderDraft, placeDraft } from './place.js'
import { signOrders } from './sign.js'

/** `swap order buy` and `swap order sell`. What is sold may be a share of the balance. */
export const runPlace =
  (verb: 'buy' | 'sell'): Run =>
  (context, args, flags) =>
    signOrders(context, { words: [verb, ...args], flags }, async ({ address }: Account) => {
      const words = verb === 'sell' ? await withShare(context, args, address) : args
      return { drafts: [await placeDraft(context, words, flags, verb)] }
    })

/** `swap order ladder`. What is offered may be a share of the balance. */
export const runLadder: Run = (context, [verb = '', ...args], flags) =>
  signOrders(context, { words: ['ladder', verb, ...args], flags }, async ({ address }) => ({
    drafts: [await ladderDraft(context, verb, await withShare(context, args, address), flags)],
  }))

/** `swap order claim` and `swap order cancel`. */
export const runClose =
  (verb: 'claim' | 'cancel'): Run =>
  (context, args, flags) =>
    signOrders(context, { words: [verb, ...args], flags }, async ({ address }) => {
      const owner = flags['all'] === true ? address : undefined
      const { drafts, unread } = await closingDrafts(context, args, verb, owner)
      if (unread.length === 0) return { drafts }
      return { drafts, incomplete: (report) => leftUnread(unread, verb, report) }
    })

/** `swap order replace`. */
export const runReplace: Run = (context, args, flags) =>
  signOrders(context, { words: ['replace', ...args], flags }, async () => ({
    drafts: [await replaceDraft(context, args, flags)],
  }))
