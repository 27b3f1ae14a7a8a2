import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import { describe, test } from 'vitest'
import { operations } from '../../../../src/operations/operations.js'
import { runSwap } from '../../../support/cli.js'

const schema = async (...args: readonly string[]) =>
  JSON.parse((await runSwap(['schema', ...args, '--json'])).stdout)

describe('swap schema', () => {
  test('lists a document for every operation of the service, and the one of errors', async () => {
    const { schemas } = (await schema()) as { schemas: { name: string; parts: string[] }[] }
    const listed = schemas.map(({ name }) => name)
    for (const { name } of operations) assert.ok(listed.includes(name), name)
    assert.ok(listed.includes('problem'))
  })
  test('describes the document that the command prints', async () => {
    for (const [name, args] of [
      ['tokens', []],
      ['route', ['1.5', 'btc', 'rune']],
      ['sroute', ['1.5', 'btc', 'rune']],
      ['arbs', []],
      ['arbroute', ['5000', 'usdc']],
    ] as const) {
      const document = JSON.parse((await runSwap([name, ...args, '--json'])).stdout)
      const check = Compile(await schema(name, 'answer'))
      assert.deepEqual([...check.Errors(document)], [], name)
      assert.ok(!check.Check({ ...document, height: '1' }), name)
    }
  })
  test('describes the request that the service takes', async () => {
    const check = Compile(await schema('route', 'request'))
    const body = { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } }
    assert.ok(check.Check(body))
    assert.ok(!check.Check({ ...body, max_hop: 3 }))
  })
  test('describes the problem document that an error prints', async () => {
    const problem = JSON.parse((await runSwap(['route', '1', 'btc', 'runr', '--json'])).stdout)
    const check = Compile(await schema('problem'))
    assert.ok(check.Check(problem))
  })
  test('names its dialect, and is indented for people', async () => {
    assert.equal(
      (await schema('route', 'answer')).$schema,
      'https://json-schema.org/draft/2020-12/schema',
    )
    assert.match((await runSwap(['schema', 'route', 'answer'])).stdout, /^\{\n {2}"\$schema"/)
  })
  test('has a row of CSV for each document in the list', async () => {
    const { stdout } = await runSwap(['schema', '--csv'])
    assert.match(stdout, /^name,parts\r\n(.+\r\n)*route,request answer\r\n/)
  })
  test('has aligned columns on a terminal', async () => {
    const { stdout } = await runSwap(['schema', '-o', 'human', '--width', '80'])
    assert.match(stdout, /^NAME +PARTS\ntokens +request answer\n/)
    const at = (name: string) => stdout.match(new RegExp(`^${name} +(?=[ra])`, 'm'))?.[0].length
    assert.equal(at('route'), at('completion-uninstall'))
  })
  test('refuses a document and a part that there are not', async () => {
    assert.match((await runSwap(['schema', 'rout'])).stderr, /did you mean route/)
    assert.match(
      (await runSwap(['schema', 'route', 'reply'])).stderr,
      /the choices are request, answer/,
    )
    assert.equal((await runSwap(['schema', '__proto__'])).status, 2)
    assert.equal((await runSwap(['schema', 'route', 'constructor'])).status, 2)
  })
})
