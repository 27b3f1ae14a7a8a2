import { balances } from '../../../operations/account/balances.js'
import { stringify } from '../../../operations/json.js'
import { defaultAddress } from '../../accounts/default-signer.js'
import { resolveAddress } from '../../accounts/resolve-address.js'
import { missing } from '../../arguments/arguments.js'
import type { Context, FlagValues } from '../../command.js'
import { balancesCsv, renderBalances } from './render.js'

/** Shows what an account holds. */
export async function runBalances(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const { app, out, form, config } = context
  const [word = flags['from']] = args
  const address =
    typeof word === 'string'
      ? await resolveAddress(context, word, '/address')
      : await defaultAddress(context)
  if (address === undefined) throw missing('the address', 'swap balances <address or name>')
  const answer = await balances(app, address)
  if (form.quiet > 1) return
  if (form.quiet === 1) return out.result(answer.total_usd ?? '')
  if (form.kind === 'json') return out.result(stringify(answer))
  const { market } = await app.openMarket()
  const naming = { tokens: market.tokens, aliases: config.aliases }
  if (form.kind === 'csv') return out.result(balancesCsv(answer))
  return out.result(renderBalances(answer, naming, out.style))
}
