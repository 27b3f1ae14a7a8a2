import { requireOwnConfig } from '../../../config/trust.js'
import { SwapError } from '../../../engine/errors.js'
import { execute, resume } from '../../../execution/execute.js'
import { type Intent, isOpen, type Journal } from '../../../execution/journal/intent.js'
import type { Order, RequestedSwap, Terms } from '../../../execution/order.js'
import { prepare } from '../../../execution/plan/prepare.js'
import type { Session } from '../../../execution/session.js'
import { withAddresses } from '../../accounts/resolve-address.js'
import { missing, refuseMore } from '../../arguments/arguments.js'
import type { Context, FlagValues } from '../../command.js'
import { passwordPromptOf } from '../keys/passwords.js'
import { accountOf, requireKey } from './account.js'
import { withShare } from './balance-share.js'
import { confirmer } from './confirm.js'
import type { ExecutionParts } from './dependencies.js'
import { dryRun, generateOnly, signOnly } from './modes.js'
import { printResult } from './print.js'
import { checkOrder, readRequest, USAGE } from './read-request.js'
import { type Invocation, interruptible, sessionOf } from './session.js'
import { termsOf } from './terms.js'

/** Executes a quote: everything from reading it to the report of what it paid. */
export async function runExecute(
  context: Context,
  args: readonly string[],
  flags: FlagValues,
): Promise<void> {
  let isHeld = false
  const hold = () => {
    isHeld = true
  }
  await interruptible(
    context,
    async (interrupt) => {
      const asking = passwordPromptOf(context, flags, interrupt)
      try {
        await begin(context, args, { flags, asking, interrupt, hold })
      } finally {
        asking.close()
      }
    },
    () => isHeld,
  )
}

async function begin(context: Context, args: readonly string[], given: Executing): Promise<void> {
  const flags = await withAddresses(context, given.flags, 'to')
  const call = { ...given, flags }
  const { asking } = call
  requireOwnConfig(context.config.projectOverrides)
  const parts = await context.execution()
  const id = flags['resume']
  if (typeof id === 'string') {
    refuseMore('execute', args)
    return resumeLegs(context, parts, call, id)
  }
  if (args.length === 0) throw missing('what to execute', USAGE)
  checkOrder(context, args)
  // The demo chain must be running before a quote is made.
  await parts.chain()
  const read = (words: readonly string[]) => readRequest(context, parts.sdk, words, flags)
  // A problem document is reported before any key is opened.
  const named = args.length === 1 ? await read(args) : undefined
  const account = await accountOf(context, flags, asking)
  if (flags['dryRun'] !== true && flags['generateOnly'] !== true) requireKey(account)
  const requested = named ?? (await read(await withShare(context, args, account.address)))
  const order = { requested, account, terms: await termsFor(context, requested, flags) }
  return carryOut(context, parts, order, call)
}

/** An invocation that may sign. `hold` is called before a signed transaction is published. */
type Executing = Invocation & { hold(): void }

async function sessionFor(
  context: Context,
  parts: ExecutionParts,
  call: Executing,
  order: Order,
): Promise<Session> {
  const confirm = confirmer(context, parts, call, order)
  const { interrupt } = call
  const journal: Journal = {
    ...parts.journal,
    put(intent) {
      if (isOpen(intent)) call.hold()
      parts.journal.put(intent)
    },
  }
  return sessionOf(context, { ...parts, journal }, call.flags, { interrupt, confirm })
}

async function carryOut(
  context: Context,
  parts: ExecutionParts,
  order: Order,
  call: Executing,
): Promise<void> {
  const { flags } = call
  if (flags['generateOnly'] === true || flags['signOnly'] === true) requireOne(order)
  const session = await sessionFor(context, parts, call, order)
  if (flags['dryRun'] === true) return dryRun(context, session, order)
  if (flags['generateOnly'] === true)
    return generateOnly(context, parts.sdk, await prepare(session, order))
  if (flags['signOnly'] === true) return signOnly(context, parts, session, order)
  return printResult(context, await execute(session, order, parts.newId), flags)
}

/** Printed transactions are single: the other legs would be lost. */
function requireOne({ terms, requested }: Order): void {
  if (terms.mode === 'batch' || requested.legs.length === 1) return
  throw new SwapError('INVALID_REQUEST', '--mode legs cannot be printed as one transaction', {
    why: `there are ${requested.legs.length} legs, each for a transaction of its own`,
    hint: 'leave --mode legs out: one transaction for all, or quote each leg apart',
    members: {
      errors: [{ pointer: '/mode', detail: 'clashes with --generate-only, --sign-only' }],
    },
  })
}

const termsFor = (context: Context, requested: RequestedSwap, flags: FlagValues): Promise<Terms> =>
  termsOf(context, flags, requested.legs[0]?.output ?? '')

/** Executes the remaining legs of an interrupted execution. */
async function resumeLegs(
  context: Context,
  parts: ExecutionParts,
  call: Executing,
  id: string,
): Promise<void> {
  const { flags, asking } = call
  const intent = parts.journal.find(id)
  if (intent === undefined || intent.chain_id !== context.config.network.chainId)
    throw new SwapError('NOT_FOUND', `nothing was executed under ${id.slice(0, 80)} here`, {
      why: `the journal has no such entry for ${context.config.network.name}`,
      hint: 'list them: swap journal',
      members: { id },
    })
  await parts.chain()
  const again = async (settled: Intent): Promise<Order> => {
    const requested = remainingSwap(settled)
    const terms = await termsFor(context, requested, flags)
    const from = { from: settled.key ?? settled.address, ...flags }
    const account = await accountOf(context, from, asking)
    return { requested, account, terms: { ...terms, mode: 'legs' } }
  }
  const session = await sessionFor(context, parts, call, await again(intent))
  return printResult(context, await resume(session, intent, again), flags)
}

/** The legs of an intent as confirmed; executed ones are skipped by index. */
const remainingSwap = (intent: Intent): RequestedSwap => ({
  quoteId: intent.quote_id,
  isExternal: false,
  network: intent.network,
  chainId: intent.chain_id,
  time: undefined,
  legs: intent.legs.map(({ funds, pairs, output, quoted, min_return }) => ({
    funds: { denom: funds.denom, amount: BigInt(funds.amount) },
    pairs,
    output,
    quoted: quoted === null ? undefined : BigInt(quoted),
    least: BigInt(min_return),
  })),
  slippageBps: intent.slippage_bps ?? undefined,
  affiliate: intent.affiliate ?? undefined,
  recipient: intent.recipient === intent.address ? undefined : intent.recipient,
})
