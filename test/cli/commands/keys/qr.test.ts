import assert from 'node:assert/strict'
import { stripVTControlCharacters } from 'node:util'
import jsQr from 'jsqr'
import { describe, test } from 'vitest'
import { qrLines } from '../../../../src/cli/commands/keys/stored-keys.js'
import { styleOf } from '../../../../src/render/style.js'

const address = 'thor1v8ppstuf6e3x0r4glqc68d5jqcs2tf38cg2q6y'

/** Pixels of a module, so that a reader of photographs sees what it is used to. */
const PIXELS = 4

/** What a camera sees of lines in which a drawn cell is light or dark: rows of "is it dark". */
function modulesOf(lines: readonly string[], drawnIsDark: boolean): boolean[][] {
  return lines.flatMap((line) => {
    const cells = [...line]
    const row = (drawn: string) => cells.map((cell) => drawn.includes(cell) === drawnIsDark)
    return [row('█▀'), row('█▄')]
  })
}

function read(modules: readonly (readonly boolean[])[]): string | undefined {
  const [height, width] = [modules.length * PIXELS, modules[0]!.length * PIXELS]
  const pixels = new Uint8ClampedArray(4 * width * height)
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const dark = modules[Math.floor(y / PIXELS)]![Math.floor(x / PIXELS)]
      pixels.set(dark ? [0, 0, 0, 255] : [255, 255, 255, 255], 4 * (y * width + x))
    }
  const options = { inversionAttempts: 'dontInvert' } as const
  return (jsQr as unknown as typeof jsQr.default)(pixels, width, height, options)?.data
}

const facts = { width: 80, color: false, ascii: false, tty: true }

describe('an address as a code for a camera', () => {
  test('is read on a dark screen without colour', () => {
    assert.equal(read(modulesOf(qrLines(address, styleOf(facts)), false)), address)
  })
  test('is black on white where there is colour', () => {
    const lines = qrLines(address, styleOf({ ...facts, color: true }))
    for (const line of lines) assert.ok(line.startsWith('\u001b[107m\u001b[30m'))
    const bare = lines.map((line) => stripVTControlCharacters(line))
    assert.equal(read(modulesOf(bare, true)), address)
  })
  test('is read in plain characters', () => {
    const lines = qrLines(address, styleOf({ ...facts, ascii: true }))
    assert.match(lines.join(''), /^[ #]+$/)
    const modules = lines.map((line) => line.match(/../g)!.map((cell) => cell === '  '))
    assert.equal(read(modules), address)
  })
  test('fits into eighty columns and twenty-four lines', () => {
    const lines = qrLines(address, styleOf(facts))
    assert.ok(lines.length <= 23 && lines.every((line) => line.length <= 80))
  })
})
