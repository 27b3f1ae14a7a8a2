import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, test } from 'vitest'
import {
  commandPath,
  examplesOf,
  flagsOf,
  namedCommands,
  usageOf,
} from '../../../src/cli/command.js'
import { commands } from '../../../src/cli/commands/index.js'
import { manPages, roff } from '../../../src/cli/help/man/pages.js'
import { topicNames } from '../../../src/cli/help/topics.js'

const pages = manPages('1.2.3')
/** Without the overstrikes that stand for bold. */
const plainOf = (text: string): string =>
  text.split('\b').reduce((plain, part) => plain.slice(0, -1) + part)

/** With calls on one line that are broken with backslashes. */
const joined = (page: string): string => page.replaceAll(/ \\e\n +/g, ' ')

const groff = spawnSync('groff', ['--version']).status === 0

describe('manual pages', () => {
  test('are one for the program, one a command and one a topic', () => {
    assert.deepEqual(
      [...pages.keys()].toSorted(),
      [
        'swap.1',
        ...commands.map(({ name }) => `swap-${name}.1`),
        ...topicNames.map((name) => `swap-${name}.7`),
      ].toSorted(),
    )
  })
  test('say what the help says: every flag, call, example and exit status', () => {
    for (const [name, command] of namedCommands(commands)) {
      const { exit = [] } = command
      const usage = usageOf(commandPath(name.split(' '), commands)!)
      const page = joined(pages.get(`swap-${name.split(' ')[0]}.1`)!)
      const expected = [
        ...flagsOf(command).flatMap(({ flags, meaning }) => [flags, meaning]),
        ...[...usage, ...examplesOf(command), exit].flat(),
      ]
      for (const text of expected) assert.ok(page.includes(roff(text)), `${name}: ${text}`)
    }
  })
  test('print an example of a group once, below the heading of its command', () => {
    const page = joined(pages.get('swap-keys.1')!)
    assert.equal(page.split(roff('swap keys list --json')).length, 2)
    assert.match(page, /^\.SH SWAP KEYS LIST\n.*\n\.SS EXAMPLES$/m)
  })
  test('break calls that are wider than 80 columns', () => {
    for (const [file, page] of pages)
      for (const [block] of page.matchAll(/^\.nf\n +\$ [\s\S]*?^\.fi/gm))
        for (const line of block.replaceAll(/\\(e|[-&])/g, '$1').split('\n'))
          assert.ok(line.length < 75, `${file}: ${line}`)
  })
  test('refer to the topics that the help refers to', () => {
    const links = (file: string) => pages.get(file)!.split('.SH SEE ALSO\n')[1]
    assert.equal(links('swap-config.1'), 'swap(1), swap\\-environment(7), swap\\-exit(7)\n')
    assert.equal(links('swap-keys.1'), 'swap(1), swap\\-scripts(7), swap\\-exit(7)\n')
  })
  test('are the same whenever they are written', () => {
    assert.deepEqual(manPages('1.2.3'), pages)
    for (const [file, page] of pages) assert.ok(!/\b20\d\d\b/.test(page.split('\n')[0]!), file)
  })
  test('are written by the build, where package.json names them', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
    const named = [...pages.keys()].toSorted().map((file) => `dist/man/${file}`)
    assert.deepEqual(manifest.man, named, 'the pages under man in package.json')
    for (const file of named) assert.ok(existsSync(file), file)
  })
  test.skipIf(!groff)(
    'are read by groff without a warning, and no line begins a request by chance',
    () => {
      for (const [file, page] of pages) {
        const { stderr, stdout, status } = spawnSync('groff', ['-man', '-ww', '-Tutf8'], {
          input: page,
          encoding: 'utf8',
        })
        assert.deepEqual([status, stderr], [0, ''], file)
        assert.match(plainOf(stdout), /NAME/)
      }
    },
  )
})

test('what roff would read as its own is written so that it does not', () => {
  assert.equal(roff(".TH a-b\n'x\\y"), "\\&.TH a\\-b\n\\&'x\\ey")
})
