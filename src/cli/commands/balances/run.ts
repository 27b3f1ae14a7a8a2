import { balances } from '../../../operations/account/balances.js'
import { addressOrDefault } from '../../accounts/default-signer.js'
import { noteUnread } from '../../accounts/unread-orders.js'
import type { Run } from '../../command.js'
import { namingIn, printAnswer } from '../../print-answer.js'
import { balancesCsv, renderBalances } from './render.js'

/** Shows what an account holds. */
export const runBalances: Run = async (context, args, flags) => {
  const { app, out } = context
  const [word = flags['from']] = args
  const named = {
    pointer: '/address',
    what: 'the address',
    call: 'swap balances <address or name>',
  }
  const address = await addressOrDefault(context, word, named)
  const answer = await balances(app, address)
  noteUnread(context, answer.orders_unread)
  return printAnswer(context, answer, {
    quiet: () => answer.total_usd ?? '',
    csv: () => balancesCsv(answer),
    human: async () => renderBalances(answer, await namingIn(context), out.style),
  })
}
