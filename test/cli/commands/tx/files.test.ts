import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { addressOf } from '../../../../src/wallet/address.js'
import { DEMO } from '../../../../src/wallet/demo-key.js'
import { built } from '../../../support/program.js'
import { changed, type Ended, type Network, network, problem } from '../execute/stage.js'

let net: Network
let made = ''
let signed = ''
const swap = ['execute', '1', 'rune', 'usdc', '--from', 'demo'] as const
const numbers = ['--account-number', '9', '--sequence', '0'] as const

beforeAll(async () => {
  built()
  net = await network()
  made = (await net.run(...swap, '--generate-only', '--deadline', '200')).stdout
  signed = (await sign(file('made.json', made))).stdout
})
afterAll(() => net.close())

const file = (name: string, document: unknown): string => {
  const path = join(net.home, name)
  writeFileSync(path, typeof document === 'string' ? document : JSON.stringify(document))
  return path
}
const sign = (path: string, ...flags: readonly string[]): Promise<Ended> =>
  net.run('tx', 'sign', path, '--from', 'demo', '--yes', '--slippage', '5%', ...flags)

describe('a memo', () => {
  const longest = 'é'.repeat(128)

  test('is signed up to 256 bytes', async () => {
    const { status, stdout } = await sign(file('memo.json', changed(made, 'body.memo', longest)))
    assert.equal(status, 0, stdout)
  })

  test('is refused above, before anything is signed', async () => {
    const above = `${longest}a`
    const fromFile = await sign(file('memo.json', changed(made, 'body.memo', above)), '--json')
    assert.equal(problem(fromFile).code, 'INVALID_REQUEST', fromFile.stdout)
    const flags = ['--yes', '--slippage', '5%', '--memo', above, '--json']
    const fromFlag = await net.run(...swap, ...flags)
    assert.equal(problem(fromFlag).code, 'INVALID_REQUEST', fromFlag.stdout)
  })
})
