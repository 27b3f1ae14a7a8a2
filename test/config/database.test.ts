import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { SwapError } from '../../src/engine/errors.js'
import { temporaryFolder } from '../support/folder.js'

const folder = temporaryFolder('config-database')

const load = (
  flags: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
) => loadConfig({ env, cwd: folder, home: undefined, flags })

describe('the database of the history', () => {
  test('is a file relative to the folder of the setting', async () => {
    const { values } = await load({ database: 'some/history.db' })
    assert.equal(values.database, join(folder, 'some/history.db'))
  })
  test('is a server as written, shown without its password', async () => {
    const url = 'postgres://me:hunter2@db.example/swaps?sslmode=require&port=65535'
    const { values, rows } = await load({ database: url })
    assert.equal(values.database, url)
    const displayed = rows.find(({ key }) => key === 'database')?.value ?? ''
    assert.match(displayed, /db\.example/)
    assert.ok(!displayed.includes('hunter2'))
  })
  test('is refused for another kind of server without repeating the setting', async () => {
    const slips = ['postgres//me:hunter2@db/x', 'me:hunter2@db/x', 'host=db password=hunter2']
    const ports = ['abc', '65536'].map((port) => `postgres://me:hunter2@db/x?port=${port}`)
    for (const database of ['mysql://me:hunter2@db/x', 'postgres://[', '-', ...slips, ...ports])
      await assert.rejects(load({ database }), (error) => {
        assert.ok(error instanceof SwapError && error.code === 'INVALID_REQUEST')
        return !JSON.stringify([error.message, error.why, error.hint]).includes('hunter2')
      })
  })
  test('is refused where it begins with ~, as a snapshot is, which would be a folder of that name', async () => {
    for (const flags of [{ database: '~/history.db' }, { snapshot: '~/market.json' }])
      await assert.rejects(load(flags), { code: 'INVALID_REQUEST', why: '~ is not expanded here' })
    const { values } = await load({ database: '~history.db' })
    assert.equal(values.database, join(folder, '~history.db'))
  })
  test('cannot be set by a project, but by a variable', async () => {
    writeFileSync(join(folder, '.swaprc'), 'database: theirs.db\nhistory:\n  from_height: 5\n')
    const { values, ignored } = await load({}, { SWAP_HISTORY_FROM_HEIGHT: '77' })
    assert.equal(values.database, undefined)
    assert.equal(values.historyFromHeight, 77)
    assert.deepEqual(ignored.map(({ key }) => key).sort(), ['database', 'history.from_height'])
  })
})

test('a history database of a file for another network is not used', async () => {
  writeFileSync(join(folder, 'main.yaml'), 'network: mainnet\ndatabase: main.db\n')
  const at = (network: string) =>
    loadConfig({
      env: {},
      cwd: folder,
      home: undefined,
      flags: { network },
      configFile: join(folder, 'main.yaml'),
    })
  assert.equal((await at('mainnet')).values.database, join(folder, 'main.db'))
  const { values, notes } = await at('demo')
  assert.equal(values.database, undefined)
  assert.match(notes.join(), /database for another network/)
})
