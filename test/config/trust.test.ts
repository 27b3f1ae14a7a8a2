import assert from 'node:assert/strict'
import { chmodSync, chownSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, test } from 'vitest'
import { loadConfig } from '../../src/config/load.js'
import { requireOwnConfig } from '../../src/config/trust.js'
import { SwapError } from '../../src/engine/errors.js'
import { temporaryFolder } from '../support/folder.js'
import { built, swap } from '../support/program.js'

let root: string
let home: string
let cwd: string
beforeEach(() => {
  root = temporaryFolder('trust')
  ;[home, cwd] = [join(root, 'home'), join(root, 'project')]
  for (const folder of [home, cwd]) mkdirSync(folder, { mode: 0o755 })
})

const load = (files: { user?: string; project?: string }, flags: Record<string, string> = {}) => {
  if (files.user !== undefined) writeFileSync(join(home, '.swaprc'), files.user, { mode: 0o644 })
  if (files.project !== undefined) writeFileSync(join(cwd, '.swaprc'), files.project)
  return loadConfig({ env: {}, cwd, home, flags })
}

describe("a project's .swaprc", () => {
  for (const [what, user, project, keys] of [
    ['changes an alias of the user', 'alias: { usd: usdc }', 'alias: { usd: tcy }', 'usd'],
    ['names an alias that the user does not have', '', 'limit: 3\nalias: { rune: tcy }', 'rune'],
  ] as const)
    test(`that ${what} is named on stderr, and nothing is signed with it`, async () => {
      const { notes, projectOverrides } = await load({ user, project })
      const line = project.split('\n').length
      const wanted = `${cwd}/.swaprc sets alias.${keys} (line ${line}): `
      assert.deepEqual(
        notes.map((note) => note.startsWith(wanted)),
        [true],
      )
      assert.throws(
        () => requireOwnConfig(projectOverrides),
        (error) => {
          assert.ok(error instanceof SwapError)
          assert.equal(error.code, 'INVALID_REQUEST')
          assert.match(error.why ?? '', new RegExp(`\\.swaprc:${line} sets alias\\.${keys}`))
          assert.match(error.hint ?? '', /~\/\.swaprc/)
          return true
        },
      )
    })

  test('that names a snapshot is named on stderr, and nothing is signed with it', async () => {
    const { notes, projectOverrides } = await load({ project: 'snapshot: market.json' })
    assert.match(notes.join(), /sets snapshot \(line 1\)/)
    assert.throws(() => requireOwnConfig(projectOverrides), /snapshot of a project/)
  })

  test('that sets fewer hops than the user has is named, and nothing is signed with it', async () => {
    const { notes, projectOverrides } = await load({ project: 'max_hops: 1' })
    assert.match(notes.join(), /sets max_hops \(line 1\)/)
    assert.throws(() => requireOwnConfig(projectOverrides), /max_hops of a project/)
    const wider = await load({ user: 'max_hops: 2', project: 'max_hops: 2' })
    assert.deepEqual(wider.projectOverrides, [])
    assert.deepEqual((await load({ user: '', project: 'max_hops: 4' })).projectOverrides, [])
  })

  test("that repeats the user's settings, or is overridden by a flag, changes nothing", async () => {
    const agreed = 'alias: { usd: usdc }'
    const same = await load({ user: agreed, project: agreed })
    assert.deepEqual([same.notes, same.projectOverrides], [[], []])
    const flagged = await load({ project: 'snapshot: market.json' }, { snapshot: 'mine.json' })
    assert.deepEqual([flagged.notes, flagged.projectOverrides], [[], []])
  })
})

describe('a command that signs', () => {
  beforeAll(built)
  for (const call of [
    ['execute', '1', 'rune', 'usdc', '--from', 'demo', '--yes', '--slippage', '1%'],
    ['tx', 'sign', '-', '--from', 'demo', '--offline', '--yes'],
  ])
    test(`is refused beside a project's alias: ${call[0]}`, () => {
      writeFileSync(join(cwd, '.swaprc'), 'alias: { rune: tcy }\n')
      const { status, stderr } = swap(call, {
        cwd,
        env: { HOME: home, SWAP_HOME: root },
        input: '',
      })
      assert.equal(status, 2)
      assert.match(stderr, /note: .*\.swaprc sets alias\.rune \(line 1\)/)
      assert.match(stderr, /nothing is signed with the alias\.rune of a project/)
    })
})

describe.skipIf(process.platform === 'win32')("a user's .swaprc", () => {
  test('whose values are nested too deeply does not crash the program', () => {
    built()
    writeFileSync(join(home, '.swaprc'), '['.repeat(3_000))
    const { status, stderr } = swap(['config', 'list'], { cwd, env: { HOME: home } })
    assert.equal(status, 2)
    assert.match(stderr, /nested too deeply/)
  })

  test('that others can write is warned about', async () => {
    await load({ user: 'limit: 3' })
    for (const mode of [0o646, 0o664]) {
      chmodSync(join(home, '.swaprc'), mode)
      const { notes } = await load({})
      assert.match(notes.join(), /others can change ~\/\.swaprc: its mode is 06[46]/)
    }
    chmodSync(join(home, '.swaprc'), 0o644)
    assert.deepEqual((await load({})).notes, [])
  })

  test.runIf(process.geteuid?.() === 0)(
    'that belongs to another user is warned about',
    async () => {
      await load({ user: 'limit: 3' })
      chownSync(join(home, '.swaprc'), 1, 1)
      assert.match(
        (await load({})).notes.join(),
        /others can change .*: it belongs to another user/,
      )
      chownSync(join(home, '.swaprc'), 0, 0)
      chownSync(home, 1, 1)
      assert.match((await load({})).notes.join(), /the directory that holds it belongs to another/)
    },
  )

  test('in a directory that others can write is warned about', async () => {
    await load({ user: 'limit: 3' })
    chmodSync(home, 0o777)
    assert.match((await load({})).notes.join(), /the mode of the directory that holds it is 0777/)
    chmodSync(home, 0o1777)
    assert.deepEqual((await load({})).notes, [])
  })
})
