import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'vitest'
import { secretBytes } from '../../src/wallet/secret.js'

const streamOf = (...chunks: readonly Buffer[]) => Readable.from(chunks)

test('a secret that is read leaves its chunks wiped, and one that is too large is not held', async () => {
  const chunks = [Buffer.from('abandon '), Buffer.from('about')]
  assert.equal(`${await secretBytes(13, streamOf(...chunks))}`, 'abandon about')
  assert.deepEqual(chunks, [Buffer.alloc(8), Buffer.alloc(5)])
  const larger = [Buffer.from('abandon '), Buffer.from('about')]
  assert.equal(await secretBytes(12, streamOf(...larger)), undefined)
  assert.deepEqual(larger, [Buffer.alloc(8), Buffer.alloc(5)])
})
