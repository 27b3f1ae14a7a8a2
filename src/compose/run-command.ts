import type { Context, Run, ServiceParts } from '../cli/command.js'
import { rememberNames } from '../cli/completion/cache.js'
import { isOwnDemo } from '../config/configured.js'
import type { DemoCommands } from '../demo-chain/index.js'
import { SwapError } from '../engine/errors.js'
import type { OperationContext } from '../operations/context.js'
import { loadOnce } from '../platform/memoize.js'
import { stateFolder } from '../platform/user-folders.js'
import { demoPlaces } from './chain-access.js'
import { openApp } from './open-market.js'
import type { ShowWaiting } from './waiting.js'

/** The part of the context that is known before a market is opened. */
type GivenContext = Pick<
  Context,
  'config' | 'fault' | 'form' | 'out' | 'surroundings' | 'commands' | 'self'
>

/** Runs a command with the configured market, and closes what it opened. */
export async function runCommand(
  run: Run,
  { opened, ...context }: GivenContext & { opened(height: number): void },
  args: Parameters<Run>[1],
  flags: Parameters<Run>[2],
): Promise<void> {
  const demo = () => demoOf(context)
  const { out, form } = context
  const isShown = form.quiet === 0 && !flags['watch'] && !flags['stdin']
  const showWaiting: ShowWaiting = (line, work) => (isShown ? out.whileWaiting(line, work) : work())
  const openAgain = () => openApp({ ...context, showWaiting }, flags)
  const open = openAgain()
  let isRead = false
  const app: OperationContext = {
    ...open.app,
    async openMarket() {
      isRead = true
      const view = await open.app.openMarket()
      opened(view.market.height)
      return view
    },
  }
  const { besideMarket, renewTimeout } = open
  const helpTopics = async () => {
    const [{ renderHelp }, { topics }, { plainStyle }] = await Promise.all([
      import('../cli/help/help.js'),
      import('../cli/help/topics.js'),
      import('../render/style.js'),
    ])
    const { commands } = context
    return topics.map(({ name, summary }) => ({
      name,
      summary,
      text: () => renderHelp([name], commands, plainStyle),
    }))
  }
  const service = () => partsOf(context, app, demo)
  const history = async () => {
    const { historyAccess } = await import('./history/access.js')
    return historyAccess(context.config, context.surroundings)
  }
  const execution = loadOnce(async () => {
    const { executionParts } = await import('./execution/dependencies.js')
    return executionParts(context.config, context.surroundings, { demo, note: context.out.note })
  })
  const closings = [open.close]
  const doctor = async (config = context.config) => {
    const { doctorPort } = await import('./doctor-port.js')
    const port = doctorPort(config, context.surroundings)
    closings.push(port.close)
    return port
  }
  try {
    await run(
      {
        ...context,
        app,
        besideMarket,
        renewTimeout,
        openAgain,
        helpTopics,
        demo,
        doctor,
        history,
        execution: execution.get,
        service,
      },
      args,
      flags,
    )
    if (isRead && context.config.values.snapshot === undefined)
      await rememberNames(context.surroundings, context.config, open.app)
  } finally {
    ;(await execution.take())?.close()
    await Promise.all(closings.map((close) => close()))
  }
}

/** The parts of the service: of a saved market, of the demo chain, or of a network. */
async function partsOf(
  context: GivenContext,
  app: OperationContext,
  demo: () => Promise<DemoCommands>,
): Promise<ServiceParts> {
  const { fixedParts, demoParts, networkParts, withHistory } = await import('./serve.js')
  const { config, surroundings } = context
  if (config.values.snapshot !== undefined) return fixedParts((await app.openMarket()).market)
  const parts = isOwnDemo(config)
    ? demoParts(config, demo, demoPlaces(surroundings))
    : networkParts(config)
  return withHistory(parts, config, surroundings)
}

/** The embedded chain; loaded only by the commands that use it. */
async function demoOf({ surroundings, self }: GivenContext): Promise<DemoCommands> {
  const { demoFiles, openDemoCommands } = await import('../demo-chain/index.js')
  const folder = stateFolder(surroundings)
  if (folder === undefined)
    throw new SwapError('INVALID_REQUEST', 'there is no folder for the demo chain', {
      why: 'neither SWAP_HOME nor a home folder is known',
      hint: 'say where to keep it: SWAP_HOME=/some/folder',
    })
  return openDemoCommands(demoFiles(folder), self)
}
