import { formOf } from './layout.js'
import type { Style } from './style.js'

const eighths = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const

/**
 * A bar of `part` against `whole` in at most `width` columns: eighth blocks, or whole `#` in ASCII.
 * What is not nothing is never without a mark; below zero there is none.
 * Under 60 columns there is no room for pictures.
 */
export function bar(part: bigint, whole: bigint, width: number, style: Style): string {
  if (part <= 0n || whole <= 0n || formOf(style) === 'stacked') return ''
  const most = part < whole ? part : whole
  if (style.ascii) {
    const count = Number((most * BigInt(2 * width) + whole) / (2n * whole))
    return style.cyan('#'.repeat(Math.max(1, count)))
  }
  const steps = Math.max(1, Number((most * BigInt(16 * width) + whole) / (2n * whole)))
  return style.cyan('█'.repeat(Math.floor(steps / 8)) + eighths[steps % 8])
}
