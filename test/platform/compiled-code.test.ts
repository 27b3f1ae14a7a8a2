import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import Module from 'node:module'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hasModes } from '../../src/platform/file-owner.js'
import { temporaryFolder } from '../support/folder.js'

const ROUTE = ['route', '1.5', 'btc', 'rune', '--json']
const here = `${process.versions.v8}-${process.arch}`

// A copy of the built program.
const root = temporaryFolder()
for (const name of ['bin', 'dist', 'package.json'])
  cpSync(name, join(root, name), { recursive: true })
const code = join(root, 'dist/code')
const cache = join(root, 'home/cache/compiled')

function run(args = ROUTE, home = join(root, 'home')) {
  const { stdout, status } = spawnSync(process.execPath, [join(root, 'bin/swap.js'), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], SWAP_HOME: home },
  })
  return { stdout, status }
}

describe('the code that the build compiled', () => {
  const folder = join(code, here, 'route')
  let quote: ReturnType<typeof run>

  beforeAll(() => {
    rmSync(code, { recursive: true })
    quote = run()
    rmSync(cache, { recursive: true })
    cpSync('dist/code', code, { recursive: true })
  })

  it('is accepted by V8 for the files that quotes load', () => {
    // In a process of its own: V8 refuses code that was compiled with other settings.
    const script = `
      const [vm, { wrap }, fs] = ['vm', 'module', 'fs'].map(require)
      const refused = process.argv.slice(2).filter((place) => {
        const filename = '${join(root, 'dist/chunks')}/' + place.split('/')[1]
        const cachedData = fs.readFileSync(process.argv[1] + '/' + place + '.code')
        const options = { filename, cachedData }
        return new vm.Script(wrap(fs.readFileSync(filename, 'utf8')), options).cachedDataRejected
      })
      console.log(refused.join())`
    const files = ['help/base.cjs', 'route/base.cjs', 'route/quote.cjs', 'mcp/mcp.cjs']
    const args = ['-e', script, join(code, here), ...files]
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: '\n', stderr: '' })
  })

  it('gives the same quote as the files alone', () => {
    expect(quote).toMatchObject({ status: 0, stdout: expect.stringContaining('"routes"') })
    expect(run()).toEqual(quote)
  })

  it.each([
    ['empty', () => Buffer.of()],
    ['cut short', (file: Buffer) => file.subarray(0, 100)],
    ['of other bytes', (file: Buffer) => Buffer.alloc(file.length, 7)],
  ])('is not used where it is %s', (_, damaged) => {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      writeFileSync(file, damaged(readFileSync(file)))
    }
    expect(run()).toEqual(quote)
  })
})

describe('the code that calls compile', () => {
  const installations = () => readdirSync(cache)
  const commands = () => readdirSync(join(cache, installations()[0]!, here))

  beforeAll(() => rmSync(code, { recursive: true }))
  beforeEach(() => rmSync(cache, { recursive: true, force: true }))

  it('is kept for each command, and used by its next call', () => {
    const quote = run()
    run(['tokens'])
    expect(commands()).toEqual(['route', 'tokens'])
    const file = join(cache, installations()[0]!, here, 'route/quote.cjs.code')
    const writtenAt = () => statSync(file, { bigint: true }).ctimeNs
    const before = writtenAt()
    expect(run()).toEqual(quote)
    expect(writtenAt()).toBe(before)
  })

  const places = ['.', '../..']

  it.skipIf(!hasModes).each(places)(
    'is neither used nor kept where other users can write it, or replace its folder: %s',
    (place) => {
      const quote = run()
      const folder = join(cache, installations()[0]!)
      const file = join(folder, here, 'route/quote.cjs.code')
      chmodSync(join(folder, place), 0o722)
      rmSync(file)
      expect(run()).toEqual(quote)
      chmodSync(join(folder, place), 0o700)
      expect(existsSync(file)).toBe(false)
    },
  )

  it.skipIf(!hasModes || !('enableCompileCache' in Module)).each(places)(
    "is not kept in Node's own cache either where other users can write it, or replace its folder: %s",
    (place) => {
      const folder = join(root, 'home/cache/code')
      run()
      expect(readdirSync(folder)).toHaveLength(1)
      rmSync(folder, { recursive: true })
      mkdirSync(folder)
      chmodSync(join(folder, place), 0o722)
      run()
      chmodSync(join(folder, place), 0o700)
      expect(readdirSync(folder)).toEqual([])
      rmSync(folder, { recursive: true })
    },
  )

  it('is not kept by a call that fails', () => {
    expect(run(['route', '1', 'nothing', 'rune'])).toMatchObject({ status: 2 })
    expect(run(['banana'])).toMatchObject({ status: 2 })
    expect(() => installations()).toThrow(/ENOENT/)
  })

  it('is that of one installation, and is removed 30 days after its last change', () => {
    const old = join(cache, 'other')
    const recent = join(cache, 'recent')
    for (const folder of [old, recent]) mkdirSync(folder, { recursive: true })
    const days = (count: number) => new Date(Date.now() - count * 86_400_000)
    utimesSync(old, days(31), days(31))
    utimesSync(recent, days(29), days(29))
    run(['--help'])
    expect(installations()).toHaveLength(2)
    expect(installations()).toContain('recent')
    cpSync(join(root, 'dist/main.cjs'), join(root, 'dist/main.cjs.copy'))
    cpSync(join(root, 'dist/main.cjs.copy'), join(root, 'dist/main.cjs'))
    run(['--help'])
    expect(installations()).toHaveLength(3)
  })

  it('is not needed: a call succeeds where it cannot be written', () => {
    writeFileSync(join(root, 'file'), '')
    expect(run(['--help'], join(root, 'file'))).toMatchObject({ status: 0 })
  })
})

describe('the built program', () => {
  it('requires no ES module, which would fail while another call imports it', () => {
    const files = readdirSync('dist/chunks').filter((name) => /\.c?js$/.test(name))
    const requiring = files.filter((name) =>
      /\brequire\("[^"]*\.js"\)/.test(readFileSync(join('dist/chunks', name), 'utf8')),
    )
    expect(requiring).toEqual([])
  })
})
