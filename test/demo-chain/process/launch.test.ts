import assert from 'node:assert/strict'
import { join } from 'node:path'
import { afterEach, test, vi } from 'vitest'
import { demoCommands } from '../../../src/demo-chain/process/commands.js'
import { filesIn } from '../../../src/demo-chain/process/files.js'
import { temporaryFolder } from '../../support/folder.js'

afterEach(() => vi.useRealTimers())

test('a demo chain whose program is missing leaves no timer behind', async () => {
  const home = temporaryFolder('demo-launch')
  const { start } = demoCommands(filesIn(home), [join(home, 'missing')])
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await assert.rejects(start({}), { code: 'ENOENT' })
  assert.equal(vi.getTimerCount(), 0)
})
