import type { Check, DoctorAnswer } from '../../../operations/doctor/doctor-answer.js'

import { printable } from '../../../platform/printable.js'
import { counted, groupThousands } from '../../../render/amount.js'
import { networkName, wrapText } from '../../../render/layout.js'
import { glyphsOf, type Style, toAscii } from '../../../render/style.js'
import { padEnd, shortenMiddle } from '../../../render/width.js'

/** Columns before the text of a check. */
const MARGIN = 14

/** A line for each check, and what to do about those that failed; tab-separated in a pipe. */
export function renderDoctor(answer: DoctorAnswer, style: Style): string {
  if (!style.tty) return renderDoctorPlain(answer)
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
  const lines = wrapText(shown(message, style, room), room)
  const beside = (word: string, text: string | null): readonly string[] =>
    text === null
      ? []
      : wrapText(shown(text, style, room - 6), room - 6).map(
          (line, i) => `${' '.repeat(MARGIN)}${padEnd(i === 0 ? word : '', 6)}${line}`,
        )
  return [
    ...lines.map((line, i) => (i === 0 ? label : ' '.repeat(MARGIN)) + line),
    ...beside('why', more.why),
    ...beside('do', more.do),
  ]
}

/**
 * Escapes text that may come from a node; on terminals shortens addresses, and words wider than the room
 * but for paths and URLs, and groups heights.
 */
function shown(text: string, style: Style, room: number): string {
  const safe = style.ascii ? toAscii(printable(text)) : printable(text)
  if (!style.tty) return safe
  const { ellipsis } = glyphsOf(style)
  return safe
    .replace(/\b[a-z]{1,20}1[02-9ac-hj-np-z]{38,58}\b/g, (address) =>
      shortenMiddle(address, 15, ellipsis),
    )
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

/** A row for each check: status, name, message, why, what to do. */
const renderDoctorPlain = ({ checks }: DoctorAnswer): string =>
  checks
    .map(({ status, name, message, why, ...more }) =>
      [status, name, message, why ?? '', more.do ?? ''].map(printable).join('\t'),
    )
    .join('\n')
