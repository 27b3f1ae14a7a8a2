import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import { impactWord } from '../../src/render/amount.js'
import { plainStyle, roleNames, styleOf } from '../../src/render/style.js'

/** The sixteen colours of a terminal, and its default foreground and background. */
type Palette = {
  readonly colors: string
  readonly foreground: string
  readonly background: string
}

const xterm =
  '000000 cd0000 00cd00 cdcd00 0000ee cd00cd 00cdcd e5e5e5 7f7f7f ff0000 00ff00 ffff00 5c5cff ff00ff 00ffff ffffff'
const solarized =
  '073642 dc322f 859900 b58900 268bd2 d33682 2aa198 eee8d5 002b36 cb4b16 586e75 657b83 839496 6c71c4 93a1a1 fdf6e3'
const gnome =
  '171421 c01c28 26a269 a2734c 12488b a347ba 2aa1b3 d0cfcc 5e5c64 f66151 33d17a e9ad0c 2a7bde c061cb 33c7de ffffff'

const palettes: Readonly<Record<string, Palette>> = {
  'xterm, black on white': { colors: xterm, foreground: '000000', background: 'ffffff' },
  'xterm, white on black': { colors: xterm, foreground: 'e5e5e5', background: '000000' },
  'Solarized light': { colors: solarized, foreground: '657b83', background: 'fdf6e3' },
  'Solarized dark': { colors: solarized, foreground: '839496', background: '002b36' },
  'GNOME light': { colors: gnome, foreground: '171421', background: 'ffffff' },
  'GNOME dark': { colors: gnome, foreground: 'd0cfcc', background: '171421' },
  'GNOME dark, of 2023': { colors: gnome, foreground: 'ffffff', background: '1d1d20' },
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [0, 2, 4]
    .map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y)
  return (high + 0.05) / (low + 0.05)
}

/**
 * The number of a colour that an escape code sets: 30 to 37 and 90 to 97, from 40 and 100 for backgrounds.
 */
const colorAt = (code: number, base: number): number | undefined =>
  code >= base && code <= base + 7
    ? code - base
    : code >= base + 60 && code <= base + 67
      ? code - base - 60 + 8
      : undefined

/** Bold and underlined. */
const WEIGHTS = [1, 4]

describe('the contrast of coloured text', () => {
  test('is computed as in WCAG 2', () => {
    assert.equal(contrast('000000', 'ffffff'), 21)
    assert.equal(contrast('cdcd00', 'ffffff').toFixed(2), '1.70')
  })
  const style = styleOf({ ...plainStyle, color: true })
  for (const role of roleNames) {
    const codes = [
      ...style[role]('x')
        .split('x')[0]!
        .matchAll(/\[(\d+)m/g),
    ].map(([, n]) => Number(n))
    for (const [name, { colors, foreground, background }] of Object.entries(palettes))
      test(`suffices for ${role} with the palette ${name}`, () => {
        const shown = { text: foreground, ground: background }
        for (const code of codes) {
          const [text, ground] = [colorAt(code, 30), colorAt(code, 40)]
          if (text !== undefined) shown.text = colors.split(' ')[text]!
          else if (ground !== undefined) shown.ground = colors.split(' ')[ground]!
          // Faint text, for one, is of no known colour.
          else assert.ok(WEIGHTS.includes(code), `${code}`)
        }
        assert.ok(contrast(shown.text, shown.ground) >= 3, `${contrast(shown.text, shown.ground)}`)
      })
  }
  test('comes from the table of roles alone', () => {
    for (const file of readdirSync('src', { recursive: true, encoding: 'utf8' })) {
      if (!/\.tsx?$/.test(file) || file === 'render/style.ts') continue
      const text = readFileSync(`src/${file}`, 'utf8').replace(/^ *\*.*$/gm, '')
      assert.doesNotMatch(text, /from 'chalk'|\\(x1b|u001b|033)\[[0-9;]*m/, file)
      assert.doesNotMatch(text, /<Text [^>]*(color|dimColor|backgroundColor)=/, file)
    }
  })
  test('does not matter where colour is off', () => {
    for (const role of roleNames) assert.equal(plainStyle[role]('x'), 'x')
  })
})

test('no severity mark looks like a minus sign, also in ASCII', () => {
  for (const bps of [0, 50, 200, 400, 900, null]) {
    const { mark, asciiMark } = impactWord(bps)
    assert.doesNotMatch(mark + asciiMark, /[-–−]/)
  }
})
