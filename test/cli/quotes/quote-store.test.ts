import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { keepQuote, quoteText } from '../../../src/cli/quotes/quote-store.js'
import { runIn } from '../../support/cli.js'
import { temporaryFolder } from '../../support/folder.js'

describe('the time after the id of a quote', () => {
  for (const [flags, time] of [
    [[], '30 s'],
    [['--max-age', '10s'], '10 s'],
  ] as const)
    it(`is ${time}, after which it is not executed, with ${flags.join(' ') || 'no flag'}`, async () => {
      const call = ['route', '0.1', 'btc', 'rune', '-o', 'human', ...flags]
      const { stdout } = await runIn({ home: temporaryFolder() }, call)
      expect(stdout).toMatch(new RegExp(`Quote +q_[0-9a-f]{8} \\(${time}\\) `))
    })
})

describe('the store of quotes', () => {
  let surroundings: Parameters<typeof keepQuote>[0]
  let folder: string

  const fileOf = (id: string | undefined) => join(folder, `${id}.json`)
  /** Dates a file some hours back. */
  const date = (id: string | undefined, hours: number) => {
    const time = new Date(Date.now() - hours * 3_600_000)
    utimesSync(fileOf(id), time, time)
  }

  const hundred = () =>
    Array.from({ length: 100 }, (_, height) => keepQuote(surroundings, { height }).id)

  beforeEach(() => {
    const home = temporaryFolder()
    surroundings = { env: { SWAP_HOME: home }, cwd: home, home, stdin: process.stdin }
    folder = join(home, 'state/quotes')
  })

  it('does not write a quote again that it has, and keeps it as a new one', () => {
    const { id } = keepQuote(surroundings, { height: 1 })
    const { ino } = statSync(fileOf(id))
    date(id, 5)
    for (let height = 2; height <= 100; height += 1) date(keepQuote(surroundings, { height }).id, 1)
    expect(keepQuote(surroundings, { height: 1 }).id).toBe(id)
    expect(statSync(fileOf(id)).ino).toBe(ino)
    keepQuote(surroundings, { height: 101 })
    expect(readdirSync(folder)).toHaveLength(100)
    expect(readdirSync(folder)).toContain(`${id}.json`)
  })

  it('keeps a quote while another process removes old ones', () => {
    const [first] = hundred()
    rmSync(fileOf(first))
    // Listed with the folder, and no file by the time that its age is read.
    symlinkSync(join(folder, 'removed'), fileOf('q_00000000'))
    for (const height of [101, 102])
      expect(keepQuote(surroundings, { height })).not.toHaveProperty('note')
  })

  it('keeps the new quote where the others are of a clock that was ahead', () => {
    for (const id of hundred()) date(id, -24)
    const { id } = keepQuote(surroundings, { height: 101 })
    expect(readdirSync(folder)).toHaveLength(100)
    expect(readdirSync(folder)).toContain(`${id}.json`)
  })

  it('does not call a quote missing that cannot be read', async () => {
    const { id } = keepQuote(surroundings, { height: 1 })
    rmSync(fileOf(id))
    await expect(quoteText(id!, surroundings)).rejects.toThrow(`no quote ${id} is kept`)
    mkdirSync(fileOf(id))
    await expect(quoteText(id!, surroundings)).rejects.toMatchObject({
      message: `the quote ${id} cannot be read`,
      why: `${fileOf(id)}: it is a folder (EISDIR)`,
    })
    rmdirSync(fileOf(id))
    symlinkSync('/dev/null', fileOf(id))
    await expect(quoteText(id!, surroundings)).rejects.toMatchObject({
      message: `the quote ${id} cannot be read`,
      why: `${fileOf(id)}: it is not a regular file (EINVAL)`,
    })
  })

  it('writes a quote again whose file was changed', () => {
    const { id, document } = keepQuote(surroundings, { height: 1 })
    writeFileSync(fileOf(id), '{}')
    keepQuote(surroundings, { height: 1 })
    expect(readFileSync(fileOf(id), 'utf8')).toBe(document)
  })
})
