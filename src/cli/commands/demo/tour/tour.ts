import { spawn } from 'node:child_process'
import { invalidRequest } from '../../../../engine/errors.js'
import { csv, memberColumns, tabRows } from '../../../../render/csv.js'
import { glyphsOf } from '../../../../render/style.js'
import { wrap } from '../../../../render/width.js'
import type { Context } from '../../../command.js'
import { endOf } from '../../../job-control.js'
import { printAnswer } from '../../../print-answer.js'
import { storedQuotes } from '../../../quotes/quote-store.js'
import { openTerminal, type Terminal } from '../../../terminal.js'
import { tourSteps } from './steps.js'

/** The first five minutes: step by step on a terminal, as a list anywhere else. */
export async function runTour(context: Context): Promise<void> {
  const { out, form, config, surroundings } = context
  const isWalked = form.kind === 'human' && form.quiet === 0
  const terminal =
    isWalked && out.stdout.isTTY && surroundings.stdin.isTTY
      ? openTerminal(surroundings)
      : undefined
  if (terminal === undefined) {
    const columns = memberColumns('minute', 'command', 'shows')
    const document = { steps: tourSteps }
    return printAnswer(context, document, {
      quiet: () => tourSteps.map(({ command }) => command).join('\n'),
      csv: () => csv(tourSteps, columns),
      human: () => tabRows(tourSteps, columns),
    })
  }
  if (config.network.name !== 'demo')
    throw invalidRequest('the tour is of the demo', '/network', {
      why: `${config.network.name} is configured, and its steps are for the market inside the program`,
      hint: 'take it there: swap demo tour -n demo',
    })
  try {
    await walk(context, terminal)
  } finally {
    terminal.close()
  }
}

/** Waits for enter before every step and runs it as if it had been typed. */
async function walk({ out, surroundings, self }: Context, terminal: Terminal): Promise<void> {
  const { arrow } = glyphsOf(out.style)
  for (const [i, { command, shows }] of tourSteps.entries()) {
    const [newest] = storedQuotes(surroundings)
    const words = command.replace('q_...', newest?.id ?? 'q_...').split(' ')
    terminal.say('')
    terminal.say(out.style.bold(`${i + 1}/${tourSteps.length}  ${words.join(' ')}`))
    const [first, ...rest] = wrap(shows, terminal.columns - 8)
    terminal.say([`      ${arrow} ${first}`, ...rest.map((line) => `        ${line}`)].join('\n'))
    const answer = (await terminal.line('      enter runs it, s skips it, q ends: ')).trim()
    if (/^q/i.test(answer)) return
    // Only enter, or a yes, runs it.
    if (!/^(y|yes)?$/i.test(answer)) continue
    const status = await runAsTyped([...self, ...words.slice(1)])
    if (status !== 0) terminal.say(out.style.muted(`      exit ${status}`))
  }
  terminal.say('\nThat was all of it. Next: swap help first-steps')
}

/** Runs this program with other arguments on the same terminal. @returns its exit status */
async function runAsTyped([program = '', ...words]: readonly string[]): Promise<number> {
  // The tour prompts again after each command, so output is not paged. The configured network may be another one.
  const env = { ...process.env, PAGER: 'cat', SWAP_NETWORK: 'demo' }
  // Ctrl-c ends the running command; the tour continues.
  return (await endOf(spawn(program, words, { stdio: 'inherit', env }))) ?? 130
}
