import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { parseDocument } from 'yaml'
import { keyOf } from '../../src/config/naming.js'
import { settingNames, settings } from '../../src/config/schema.js'
import { homeWith, refusal } from './homes.js'

describe('a configuration file is refused or read:', () => {
  test('a folder', async () => {
    const { cwd, load } = homeWith()
    mkdirSync(join(cwd, '.swaprc'))
    assert.match((await refusal(load())).fullMessage, /\.swaprc cannot be used \| it is a folder/)
  })

  test.runIf(existsSync('/dev/null'))('a device, unless --config names it', async () => {
    const { cwd, load } = homeWith()
    symlinkSync('/dev/null', join(cwd, '.swaprc'))
    assert.match((await refusal(load())).fullMessage, /it is not a regular file/)
    assert.equal((await load({ configFile: '/dev/null' })).values.limit, 5)
  })

  test('a link to a file that does not exist, whose limits would be lost', async () => {
    const { home, load } = homeWith()
    symlinkSync('gone/swaprc', join(home, '.swaprc'))
    const { fullMessage } = await refusal(load())
    assert.match(fullMessage, /\.swaprc cannot be used \| it is a link to gone\/swaprc, which does/)
  })

  test('a file without read permission', async (context) => {
    const { home, load } = homeWith({ user: 'limit: 3' })
    chmodSync(join(home, '.swaprc'), 0o000)
    context.skip(process.getuid?.() === 0, 'root reads everything')
    assert.match((await refusal(load())).fullMessage, /cannot be read \(EACCES\)/)
  })

  test('bytes that are not text', async () => {
    const { home, load } = homeWith()
    writeFileSync(join(home, '.swaprc'), Buffer.from([0xff, 0xfe, 0x00]))
    assert.match((await refusal(load())).fullMessage, /not UTF-8/)
  })

  test('a byte order mark, which is not part of the first key', async () =>
    assert.equal((await homeWith({ user: '\ufefflimit: 3' }).load()).values.limit, 3))

  test('values that are nested too deeply, by some or by many levels', async () => {
    for (const levels of [120, 5_000])
      for (const user of [
        `foo: ${'['.repeat(levels)}${']'.repeat(levels)}`,
        `foo: ${'{a: '.repeat(levels)}${'}'.repeat(levels)}`,
      ]) {
        const { fullMessage } = await refusal(homeWith({ user }).load())
        assert.match(fullMessage, /line 1: its values are nested too deeply/)
      }
    const lines = Array.from({ length: 1_400 }, (_, level) => `${' '.repeat(level)}a:`)
    const { fullMessage } = await refusal(homeWith({ user: `${lines.join('\n')} b` }).load())
    assert.match(fullMessage, /its values are nested too deeply/)
  })

  test('a value of many digits, without a search that takes minutes', async () => {
    const error = await refusal(homeWith({ project: `slippage: ${'0'.repeat(200_000)}x` }).load())
    assert.match(error.fullMessage, /not a percentage/)
  }, 15_000)

  test('a key that is set twice in two forms', async () => {
    const files = {
      'alias.usd': 'alias: {usd: usdc, USD: usdt}',
      'router.address': 'router: {address: thor1a}\nrouter.address: thor1b',
    }
    for (const [key, user] of Object.entries(files))
      assert.match(
        (await refusal(homeWith({ user }).load())).fullMessage,
        new RegExp(`it sets ${key} twice`),
      )
  })

  test('a file that is too large', async () => {
    const error = await refusal(homeWith({ user: '#'.repeat(2_000_000) }).load())
    assert.match(error.fullMessage, /larger than 1 MiB/)
  })

  test.runIf(process.platform !== 'win32')('a device without an end', async () => {
    const error = await refusal(homeWith().load({ configFile: '/dev/zero' }))
    assert.match(error.fullMessage, /larger than 1 MiB/)
  })

  test('a missing file that --config names', async () => {
    const error = await refusal(homeWith().load({ configFile: 'nowhere.yaml' }))
    assert.equal(error.code, 'INVALID_REQUEST')
    assert.match(error.fullMessage, /nowhere\.yaml cannot be used \| there is no such file/)
  })

  test('a home that is not a folder, which has no file', async () =>
    assert.equal((await homeWith().load({ home: '/dev/null' })).values.limit, 5))
})

describe('.swaprc.example', () => {
  const text = readFileSync(new URL('../../.swaprc.example', import.meta.url), 'utf8')
  const entries = (parseDocument(text, { schema: 'failsafe' }).toJS() ?? {}) as Record<
    string,
    string
  >

  test('has every key with its default, and no other', () =>
    assert.deepEqual(Object.entries(entries), [
      ...settingNames.map((name) => [keyOf(name), settings[name].fallback ?? '']),
      ['alias', ''],
      ['book', ''],
      ['networks', ''],
    ]))

  test('has a description above every key', () => {
    for (const name of settingNames)
      assert.ok(
        text.includes(`\n# ${settings[name].meaning}\n`),
        `.swaprc.example lacks the meaning of ${keyOf(name)}`,
      )
    for (const group of ['alias', 'book', 'networks'])
      assert.match(text, new RegExp(`\\n# [a-z][^\\n]+\\n(#[^\\n]+\\n)*${group}:`), group)
  })

  test('changes nothing when it is loaded', async () => {
    const { values, notes } = await homeWith({ user: text, project: text }).load()
    assert.deepEqual(values, (await homeWith().load()).values)
    assert.deepEqual(notes, [])
  })
})
