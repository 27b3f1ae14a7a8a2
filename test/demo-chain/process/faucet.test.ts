import assert from 'node:assert/strict'
import { toBech32 } from '@cosmjs/encoding'
import { afterEach, test, vi } from 'vitest'
import { answerControl } from '../../../src/demo-chain/process/control.js'
import { filesIn } from '../../../src/demo-chain/process/files.js'
import { Log } from '../../../src/demo-chain/process/log.js'
import { openFaultyChain } from '../../../src/demo-chain/process/open-demo.js'
import { temporaryFolder } from '../../support/folder.js'

afterEach(() => vi.useRealTimers())

test('a payment of the faucet is reported without a block before the command stops waiting for it', async () => {
  const files = filesIn(temporaryFolder('demo-faucet'))
  const { real, controlsOf, close } = openFaultyChain(
    files,
    { blockTimeMs: 600_000 },
    new Log(files.log),
  )
  const answer = answerControl(
    real,
    controlsOf(() => undefined),
  )
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const body = JSON.stringify({ address: toBech32('demo', new Uint8Array(20).fill(3)), coins: [] })
  const reply = answer('/demo/faucet', Buffer.from(body))
  await vi.advanceTimersByTimeAsync(59_000)
  assert.equal(vi.getTimerCount(), 0)
  assert.equal(JSON.parse(`${(await reply)?.body}`).height, null)
  close()
})
