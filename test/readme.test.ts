import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { describe, test } from 'vitest'
import { temporaryFolder } from './support/folder.js'
import { withTables } from './support/readme.js'
import { inTerminal } from './support/terminal.js'

const readme = readFileSync('README.md', 'utf8')

/** A console block: a command, and what a terminal of 80 columns shows. */
const samples = [...readme.matchAll(/```console\n\$ (.*)\n([\s\S]*?)```/g)].map(
  ([, command = '', output = '']) => ({ command, output }),
)

/** The commands of the first steps, with the flags that a hidden comment adds where there is no terminal. */
const steps = ((): readonly string[] => {
  const [, flags = '', block = ''] =
    /<!-- test flags: (.*) -->\n```sh\n([\s\S]*?)```/.exec(readme) ?? []
  const added = flags.split('; ').map((each) => /^(.*?) (-.*)$/.exec(each)!)
  return block
    .trim()
    .split('\n')
    .map((line) => line.replace(/\s+#.*/, ''))
    .map((line) => {
      const match = added.find(([, words]) => line.startsWith(`swap ${words}`))
      return match === undefined ? line : `${line} ${match[2]}`
    })
})()

const home = temporaryFolder('readme')
symlinkSync(resolve('bin/swap.js'), join(home, 'swap'))

const env = () => ({
  PATH: [home, resolve(process.execPath, '..'), process.env['PATH']].join(delimiter),
  SWAP_HOME: home,
  HOME: home,
  LANG: 'C.UTF-8',
  SWAP_PASSWORD_FILE: join(home, 'pw'),
})
const run = (command: string) =>
  spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', cwd: home, env: env() })

describe('the README', () => {
  test('shows samples', () => assert.ok(samples.length >= 2 && steps.length >= 7))

  for (const { command, output } of samples)
    test(`shows what $ ${command} prints: copy it where an answer has changed`, async () => {
      const screen = inTerminal(['/bin/sh', '-c', command], { env: env(), rows: 40 })
      assert.equal(await screen.exited, 0)
      assert.equal(`${screen.rows().join('\n').trimEnd()}\n`, output)
    })

  test('begins with steps that work one after the other', () => {
    writeFileSync(join(home, 'pw'), 'velvet-orbit-lantern-quarry-81', { mode: 0o600 })
    try {
      for (const step of steps) {
        const { status, stderr } = run(step)
        assert.equal(status, 0, `${step}: ${stderr}`)
      }
    } finally {
      run('swap demo stop')
    }
  })

  test('has tables made from the declarations: npm run readme', () => {
    assert.equal(readme, withTables(readme))
  })

  test('begins with the two commands that do everything', () => {
    assert.match(readme, /```sh\nnpm ci && npx swap route 1\.5 btc rune\nnpm test\n```/)
  })

  test('is not longer than 220 lines', () => assert.ok(readme.trimEnd().split('\n').length <= 220))
})
