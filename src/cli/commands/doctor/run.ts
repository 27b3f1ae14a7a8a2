import { resolve } from 'node:path'
import { writeDocument } from '../../../chain/market/snapshot-file.js'
import { shownPath } from '../../../config/load.js'
import { invalidRequest } from '../../../engine/errors.js'
import { counted, groupThousands } from '../../../engine/math/counted.js'
import { doctor } from '../../../operations/doctor/doctor.js'
import type { Check, DoctorAnswer } from '../../../operations/doctor/doctor-documents.js'
import { chainChecks, check } from '../../../operations/doctor/doctor-port.js'
import { didYouMean } from '../../../operations/suggest.js'
import { csv, foreignColumns, memberColumns, tabRows } from '../../../render/csv.js'
import { beside, networkName, suggesting, wrapText } from '../../../render/layout.js'
import { glyphsOf, type Style, safeText } from '../../../render/style.js'
import { padEnd, quote, shortenMiddle } from '../../../render/width.js'
import type { Context, Run } from '../../command.js'
import { clashing } from '../../invalid-request.js'
import { printAnswer } from '../../print-answer.js'
import { programFacts } from '../version/run.js'
import { machineCheck, repairs } from './check-machine.js'
import {
  checkNames,
  type LocalCheck,
  localChecks,
  machineChecks,
  queryingChecks,
} from './check-names.js'

/** A bech32 address of any chain. */
const ADDRESS = /\b[a-z]{1,20}1[02-9ac-hj-np-z]{38,58}\b/g

/**
 * Writes the doctor's results and the configuration for a bug report: addresses shortened, the home folder as
 * `~`. Secrets of URLs are already masked.
 */
async function writeBundle(
  { config, out, surroundings }: Context,
  answer: DoctorAnswer,
  path: string,
): Promise<void> {
  const { home } = surroundings
  // The root folder, the home of a user without one, is in every path and URL.
  const isFolder = home !== undefined && resolve(home) !== resolve('/')
  const clean = (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string') return value
    const text = isFolder ? value.replaceAll(home, '~') : value
    return text.replace(ADDRESS, (address) => shortenMiddle(address, 15))
  }
  const rows = config.rows.map(({ key, value, origin }) => ({ key, value, origin }))
  const report = { doctor: answer, config: rows, notes: config.notes }
  const document: object = JSON.parse(JSON.stringify(report, clean))
  if (path === '-') return out.result(JSON.stringify(document, undefined, 2))
  const bytes = writeDocument(path, document)
  out.note(`wrote ${path}, ${counted(bytes, 'byte')}`)
}

/** Checks everything that a quote depends on; exit 1 if a check failed. */
export const runDoctor: Run = async (context, args, flags) => {
  const { out } = context
  for (const name of args)
    if (!checkNames.includes(name))
      throw invalidRequest(`doctor does not check ${quote(name)}`, '', {
        why: `the checks are ${checkNames.join(', ')}`,
        hint: didYouMean(name, checkNames) ?? 'see: swap help doctor',
      })
  const isOffline = flags['offline'] === true
  const queried = args.find((name) => queryingChecks.includes(name))
  if (isOffline && queried !== undefined)
    throw clashing(queried, '--offline', 'the check queries a node or a server', '/offline')
  // Without a usable configuration no node is queried, and this check says so.
  const wanted = (name: string) =>
    args.length === 0 || args.includes(name) || (name === 'config' && context.fault !== undefined)
  if (flags['fix'] === true)
    for (const name of machineChecks.filter(wanted)) await repairs[name]?.(context)
  const local = localChecks.filter(wanted).map((name) => look[name](context))
  for (const name of machineChecks.filter(wanted))
    if (!isOffline || !queryingChecks.includes(name))
      local.push(...(await machineCheck(name, context)))
  const mayQuery = !isOffline && context.fault === undefined
  const ofChain = chainChecks.filter((name) => wanted(name) && mayQuery)
  const found = await doctor(await context.doctor(), ofChain, local)
  const answer = complete(found, out.style)
  if (answer.failed > 0) out.exit(1)
  const { bundle } = flags
  if (typeof bundle === 'string') {
    await writeBundle(context, answer, bundle)
    if (bundle === '-') return
  }
  const failed = answer.checks.filter(({ status }) => status === 'fail')
  return printAnswer(context, answer, {
    quiet: () => renderDoctor({ ...answer, checks: failed }, out.style),
    csv: () => csv(answer.checks, foreignColumns(...members)),
    human: () => renderDoctor(answer, out.style),
  })
}

/** The answer with its suggested commands complete. */
const complete = (answer: DoctorAnswer, style: Style): DoctorAnswer => ({
  ...answer,
  checks: answer.checks.map((each) => ({
    ...each,
    message: suggesting(each.message, style),
    do: each.do && suggesting(each.do, style),
  })),
})

const look: Readonly<Record<LocalCheck, (context: Context) => Check>> = {
  program: () => {
    const data = programFacts()
    const { version, commit, node, platform } = data
    const message = `swap ${version} (${commit}), node ${node}, ${platform}`
    return check('program', 'ok', message, { data })
  },
  config: ({ config, surroundings, fault }) => {
    if (fault !== undefined)
      return check('config', 'fail', fault.message, {
        why: `${fault.why ?? 'it cannot be used'}; no node is queried until it can`,
        do: [fault.hint, 'or by hand: swap config edit'].filter(Boolean).join('; '),
        data: { code: fault.code },
      })
    const files = [...new Set(config.rows.flatMap(({ file }) => file ?? []))]
    const names = files.map((file) => shownPath(file, surroundings.home)).join(', ')
    const data = { files: files.length, notes: config.notes.length, ignored: config.ignored.length }
    const where = files.length === 0 ? 'no file sets anything; what is built in holds' : names
    const [first] = config.notes
    if (first === undefined) return check('config', 'ok', where, { data })
    return check('config', 'note', `${where}; ${first}`, { do: 'swap config list', data })
  },
  terminal: ({ out: { style, stdout } }) => {
    const tty = stdout.isTTY === true
    const data = { tty, width: style.width, color: style.color, ascii: style.ascii }
    const facts = [
      tty ? 'a terminal' : 'no terminal',
      `${style.width} columns`,
      style.color ? 'colour' : 'no colour',
      style.ascii ? 'ASCII' : 'UTF-8',
    ]
    return check('terminal', 'ok', facts.join(', '), { data })
  },
}

/** Columns before the text of a check. */
const MARGIN = 14

/** One line for each check, with a remedy for failed ones; tab-separated in a pipe. */
export function renderDoctor(answer: DoctorAnswer, style: Style): string {
  if (!style.tty) return tabRows(answer.checks, memberColumns(...members))
  const { failed, notes } = answer
  return [
    ...answer.checks.flatMap((each) => checkLines(each, style)),
    '',
    `${networkName(answer.network, style)}: ${counted(failed, 'problem')}, ${counted(notes, 'note')}.${failed > 0 ? ' Exit code 1.' : ''}`,
  ].join('\n')
}

function checkLines({ name, status, message, ...more }: Check, style: Style): readonly string[] {
  const label = `${markOf(status, style)} ${padEnd(name, MARGIN - 3)} `
  const room = Math.max(20, style.width - MARGIN)
  const lines = wrapText(displayText(message, style, room), room)
  const remark = (word: string, text: string | null): readonly string[] => {
    if (text === null) return []
    const shown = wrapText(displayText(text, style, room - 6), room - 6)
    return beside('', beside(word, shown, 6), MARGIN)
  }
  return [...beside(label, lines, MARGIN), ...remark('why', more.why), ...remark('do', more.do)]
}

/**
 * Escapes text that may come from a node; on terminals shortens addresses and words wider than the line,
 * except paths and URLs, and groups heights.
 */
function displayText(text: string, style: Style, room: number): string {
  const { ellipsis } = glyphsOf(style)
  return safeText(text, style)
    .replace(ADDRESS, (address) => shortenMiddle(address, 15, ellipsis))
    .replace(
      /\b(height|block) (\d+)/g,
      (_, word: string, digits: string) => `${word} ${groupThousands(digits)}`,
    )
    .replace(/\S+/g, (word) => (word.includes('/') ? word : shortenMiddle(word, room, ellipsis)))
}

function markOf(status: Check['status'], style: Style): string {
  const { yes, no } = glyphsOf(style)
  if (status === 'ok') return style.good(yes)
  if (status === 'fail') return style.bad(no)
  return status === 'note' ? style.warning('!') : '-'
}

/** The columns of a check in a pipe and in CSV. */
const members = ['status', 'name', 'message', 'why', 'do'] as const
