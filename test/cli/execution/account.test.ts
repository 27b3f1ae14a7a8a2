import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { demo } from '../../../src/chain/networks/demo.js'
import type { PasswordPrompt } from '../../../src/cli/accounts/passwords.js'
import type { Context } from '../../../src/cli/command.js'
import { accountOfIntent } from '../../../src/cli/execution/account.js'
import type { Intent } from '../../../src/execution/journal/intent.js'
import { addressOf } from '../../../src/wallet/address.js'
import { encodeExternal } from '../../../src/wallet/keyfile/key-document.js'
import { intent } from '../../execution/script.js'
import { temporaryFolder } from '../../support/folder.js'

const KEYS = {
  renamed: '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798',
  main: '02c6047f9441ed7d6d3045406e95c07cd85c778e4b8cef3ca7abac09b95c709ee5',
}
const addressIn = (name: keyof typeof KEYS) => addressOf(Buffer.from(KEYS[name], 'hex'), 'demo')

describe('the account that signs the rest of an execution', () => {
  const home = temporaryFolder()
  mkdirSync(join(home, 'keys'), { mode: 0o700 })
  for (const [name, pubkey] of Object.entries(KEYS)) {
    const bytes = encodeExternal({
      format: 'swap.external/1',
      created_at: '2026-11-23T00:00:00.000Z',
      prefix: 'demo',
      pubkey,
      address: addressIn(name as keyof typeof KEYS),
      sign_mode: 'direct',
      signer: 'exec:signer',
    })
    writeFileSync(join(home, 'keys', `${name}.json`), bytes, { mode: 0o600 })
  }
  const context = {
    config: { network: demo, values: {}, book: new Map() },
    surroundings: { env: { SWAP_HOME: home }, home, cwd: home },
  } as unknown as Context
  const nameFor = async (own: Partial<Intent>) =>
    (await accountOfIntent(context, { ...intent, ...own }, {}, {} as PasswordPrompt)).name

  test('is that of its key, also where the key was renamed and another one has its name', async () => {
    const address = addressIn('renamed')
    for (const key of ['renamed', 'gone', 'main', null])
      assert.equal(await nameFor({ key, address }), 'renamed')
  })
})
