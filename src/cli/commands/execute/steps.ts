import type { Step } from '../../../execution/session.js'
import { groupThousands } from '../../../render/amount.js'
import { glyphsOf, type Style, toAscii } from '../../../render/style.js'
import { padEnd, printable } from '../../../render/width.js'

/**
 * A step as one line for a person; nothing for one that the screen has shown already.
 *
 * @param sinceMs milliseconds since it was signed; `undefined` where another process did that
 */
export function stepLine(
  step: Step,
  style: Style,
  sinceMs: number | undefined,
): string | undefined {
  const { yes, ellipsis, dot } = glyphsOf(style)
  const done = (what: string, text: string) =>
    `${style.good(yes)} ${padEnd(what, 13)} ${clean(text, style)}`
  const short = (hash: string) => `${hash.slice(0, 6)}${ellipsis}${hash.slice(-4)}`
  switch (step.stage) {
    case 'unlocked':
      return done('unlocked', step.name)
    case 'signed':
      return done(
        'signed',
        `sequence ${step.sequence}, valid until block ${groupThousands(`${step.until}`)}`,
      )
    case 'accepted':
      return done('accepted', `${short(step.hash)} by ${step.by}`)
    case 'included':
      return done(
        'included',
        `block ${groupThousands(`${step.height}`)}${sinceMs === undefined ? '' : ` (${(sinceMs / 1000).toFixed(1)} s)`}`,
      )
    case 'waiting':
      return `${dot} ${padEnd('waiting', 13)} block ${groupThousands(`${step.height}`)}, valid until ${groupThousands(`${step.until}`)}`
    case 'uncompared':
      return `${style.warning('!')} one node alone answers of ${step.of}: nothing could be compared`
    case 'again':
      return `${style.warning('!')} ${padEnd('sending again', 13)} ${clean(step.why, style)}`
    default:
      return undefined
  }
}

const clean = (text: string, style: Style): string =>
  style.ascii ? toAscii(printable(text)) : printable(text)
