import { spawnSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { compiledCodeFolder } from '../../src/platform/compiled-code.js'
import { temporaryFolder } from '../support/folder.js'

describe('the code that the build compiled', () => {
  let root: string
  let folder: string
  let quote: string

  const run = () => {
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(root, 'bin/swap.js'), 'route', '1.5', 'btc', 'rune', '--json'],
      { encoding: 'utf8', env: { ...process.env, SWAP_HOME: join(root, 'home') } },
    )
    expect({ stderr, status }).toEqual({ stderr: 'note: quote q_3f1c01a3\n', status: 0 })
    return stdout
  }

  beforeAll(() => {
    root = temporaryFolder()
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(name, join(root, name), { recursive: true })
    folder = compiledCodeFolder(join(root, 'dist'))
    rmSync(folder, { recursive: true, force: true })
    quote = run()
    cpSync(compiledCodeFolder('dist'), folder, { recursive: true })
  })

  it('is accepted by V8 for the files that quotes load', () => {
    // In a process of its own: V8 refuses code that was compiled with other settings.
    const script = `
      const [vm, { wrap }, fs] = ['vm', 'module', 'fs'].map(require)
      const refused = process.argv.slice(2).filter((name) => {
        const filename = '${join(root, 'dist/chunks')}/' + name
        const cachedData = fs.readFileSync(process.argv[1] + '/' + name + '.code')
        const options = { filename, cachedData }
        return new vm.Script(wrap(fs.readFileSync(filename, 'utf8')), options).cachedDataRejected
      })
      console.log(refused.join())`
    const args = ['-e', script, folder, 'base.cjs', 'quote.cjs', 'mcp.cjs']
    const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
    expect({ stdout, stderr }).toEqual({ stdout: '\n', stderr: '' })
  })

  it('gives the same quote as the files alone', () => {
    expect(run()).toBe(quote)
  })

  it.each([
    ['empty', () => Buffer.of()],
    ['cut short', (code: Buffer) => code.subarray(0, 100)],
    ['of other bytes', (code: Buffer) => Buffer.alloc(code.length, 7)],
  ])('is not used where it is %s', (_, damaged) => {
    for (const name of readdirSync(folder)) {
      const file = join(folder, name)
      writeFileSync(file, damaged(readFileSync(file)))
    }
    expect(run()).toBe(quote)
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
