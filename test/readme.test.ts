import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { commands } from '../src/cli/commands/index.js'
import { exitOf } from '../src/cli/exit.js'
import { envOf, flagOf, keyOf } from '../src/config/naming.js'
import { settingNames } from '../src/config/schema.js'
import { errorCodes } from '../src/engine/errors.js'

const readme = readFileSync('README.md', 'utf8')
const blocks = [...readme.matchAll(/```console\n([\s\S]*?)```/g)].map(([, text = '']) => text)

/** Each `$ command` of a console block with the output that the page shows for it. */
const shown = blocks.flatMap((block) =>
  block
    .split(/^\$ /m)
    .filter((part) => part !== '')
    .map((part) => {
      const [command = '', ...lines] = part.trimEnd().split('\n')
      return { command, lines }
    }),
)

let home = ''
beforeAll(() => {
  if (!existsSync('dist/main.js')) spawnSync('npm', ['run', 'build'], { stdio: 'inherit' })
  home = mkdtempSync(join(tmpdir(), 'swap-readme-'))
  symlinkSync(resolve('bin/swap.js'), join(home, 'swap'))
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

function run(command: string): string {
  const { stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    encoding: 'utf8',
    env: {
      PATH: [home, resolve(process.execPath, '..'), process.env['PATH']].join(delimiter),
      SWAP_HOME: home,
      LANG: 'C.UTF-8',
    },
  })
  return stdout === '' ? stderr : stdout
}

describe('the README', () => {
  test('shows commands', () => assert.ok(shown.length >= 6))
  for (const { command, lines } of shown)
    test(`$ ${command} prints what the page shows`, () => {
      const printed = run(command).trimEnd().split('\n')
      assert.deepEqual(printed.slice(0, lines.length), lines)
    })

  test('begins with the two commands that do everything', () => {
    assert.match(readme, /```sh\nnpm ci && npx swap route 1\.5 btc rune\nnpm test\n```/)
  })

  test('is not longer than 250 lines', () => assert.ok(readme.split('\n').length <= 250))

  test('has a row for every error code, with its exit status, and none for others', () => {
    for (const code of errorCodes) {
      const row = readme
        .split('\n')
        .find((line) => line.startsWith('| `') && line.includes(`\`${code}\``))
      assert.ok(row, code)
      assert.match(row, new RegExp(`\\| ${exitOf[code]} \\|`), code)
    }
    const rows = readme
      .slice(readme.indexOf('## Errors'))
      .matchAll(/`([A-Z]{2,}(?:_[A-Z]+)+|INTERNAL)`/g)
    for (const [, code = ''] of rows)
      if (!code.startsWith('SWAP_'))
        assert.ok((errorCodes as readonly string[]).includes(code), code)
  })

  test('names every command and every setting with its flag and its variable', () => {
    for (const { name } of commands) assert.match(readme, new RegExp(`swap ${name}`), name)
    for (const name of settingNames) {
      assert.ok(readme.includes(`\`${keyOf(name)}\``), name)
      if (['color', 'width', 'ascii'].includes(name)) continue
      assert.ok(readme.includes(`\`${flagOf(name)}\``), flagOf(name))
      assert.ok(readme.includes(`\`${envOf(name)}\``), envOf(name))
    }
  })
})
