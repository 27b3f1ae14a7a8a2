import { execute, resume } from '../../app/execute/execute.js'
import type { Intent } from '../../app/execute/follow/intent.js'
import type { Order, Terms, Wanted } from '../../app/execute/plan/order.js'
import { prepare } from '../../app/execute/plan/prepare.js'
import { demoChainId } from '../../config/network.js'
import { SwapError } from '../../errors.js'
import { refuseMore } from '../arguments.js'
import type { Context, FlagValues } from '../command.js'
import { type Asking, askingOf } from '../keys/passwords.js'
import { accountOf } from './account.js'
import { confirmer } from './confirm.js'
import { dryRun, generateOnly, signOnly } from './only.js'
import type { ExecutionParts } from './parts.js'
import { interruptible, sessionOf } from './session.js'
import { withShare } from './share.js'
import { tellConclusion } from './tell.js'
import { blockTimeOf, termsOf } from './terms.js'
import { readWanted } from './wanted.js'

/** Executes a quote: everything from reading it to the report of what it paid. */
export async function runExecute(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  const asking = askingOf(context, flags)
  try {
    await interruptible(async (interrupt) => {
      const parts = await context.execution()
      if (typeof flags['resume'] === 'string') {
        refuseMore('execute', args)
        return resumeLegs(context, parts, { flags, asking, interrupt }, flags['resume'])
      }
      // The demo chain has to run before anything is quoted from it.
      await parts.chain()
      const account = await accountOf(context, flags, asking)
      const words = await withShare(context, args, account.address)
      const wanted = await readWanted(context, parts.sdk, words, flags)
      const order = { wanted, account, terms: await termsFor(context, wanted, flags) }
      return carryOut(context, parts, order, { flags, asking, interrupt })
    })
  } finally {
    asking.close()
  }
}

/** What one call goes by. */
export type Call = {
  readonly flags: FlagValues
  readonly asking: Asking
  readonly interrupt: AbortSignal
}

async function carryOut(
  context: Context,
  parts: ExecutionParts,
  order: Order,
  call: Call,
): Promise<void> {
  const { flags, interrupt } = call
  const confirm = confirmer(context, flags, call.asking, order)
  const session = await sessionOf(context, parts, flags, { interrupt, confirm })
  if (flags['dryRun'] === true) return dryRun(context, session, order)
  if (flags['generateOnly'] === true)
    return generateOnly(context, parts.sdk, await prepare(session, order))
  if (flags['signOnly'] === true) return signOnly(context, parts, session, order)
  return tellConclusion(context, await execute(session, order, parts.newId), flags)
}

async function termsFor(context: Context, wanted: Wanted, flags: FlagValues): Promise<Terms> {
  const isDemo = context.config.network.chainId === demoChainId
  const output = wanted.legs[0]?.output ?? ''
  return termsOf(context, flags, { output, blockTimeMs: blockTimeOf(isDemo) })
}

/** Goes on with the legs of an execution that was stopped. */
async function resumeLegs(
  context: Context,
  parts: ExecutionParts,
  call: Call,
  id: string,
): Promise<void> {
  const { flags, asking, interrupt } = call
  const intent = parts.journal.find(id)
  if (intent === undefined || intent.chain_id !== context.config.network.chainId)
    throw new SwapError('NOT_FOUND', `nothing was executed under ${id.slice(0, 80)} here`, {
      why: `the journal has no such entry for ${context.config.network.name}`,
      hint: 'list them: swap journal',
      members: { id },
    })
  await parts.chain()
  const again = async (settled: Intent): Promise<Order> => {
    const wanted = wantedAgain(settled)
    const terms = await termsFor(context, wanted, flags)
    const from = { from: settled.key ?? settled.address, ...flags }
    const account = await accountOf(context, from, asking)
    return { wanted, account, terms: { ...terms, mode: 'legs' } }
  }
  const order = await again(intent)
  const confirm = confirmer(context, flags, asking, order)
  const session = await sessionOf(context, parts, flags, { interrupt, confirm })
  return tellConclusion(context, await resume(session, intent, again), flags)
}

/** The legs of an intent as it was confirmed; those that are done are skipped by their place. */
const wantedAgain = (intent: Intent): Wanted => ({
  quoteId: intent.quote_id,
  network: intent.network,
  chainId: intent.chain_id,
  time: undefined,
  legs: intent.legs.map(({ funds, pairs, output, quoted, min_return }) => ({
    funds: { denom: funds.denom, amount: BigInt(funds.amount) },
    pairs,
    output,
    quoted: BigInt(quoted),
    least: BigInt(min_return),
  })),
  slippageBps: intent.slippage_bps ?? undefined,
  affiliate: intent.affiliate ?? undefined,
  recipient: intent.recipient === intent.address ? undefined : intent.recipient,
})
