import assert from 'node:assert/strict'
import { Compile } from 'typebox/compile'
import { beforeAll, describe, test } from 'vitest'
import { schemaNames } from '../../../../src/cli/completion/schema-names.js'
import { operations } from '../../../../src/service/routes/index.js'
import { built, swap } from '../../../support/program.js'

beforeAll(built)

const schema = (...args: readonly string[]) =>
  JSON.parse(swap(['schema', ...args, '--json']).stdout)

describe('swap schema', () => {
  test('lists a document for every operation of the service, and the one of errors', () => {
    const { schemas } = schema() as { schemas: { name: string; parts: string[] }[] }
    const listed = schemas.map(({ name }) => name)
    for (const { name } of operations) assert.ok(listed.includes(name), name)
    assert.ok(listed.includes('problem'))
    for (const name of listed) assert.ok((schemaNames as readonly string[]).includes(name), name)
  })
  test('says of the answer what the command prints', () => {
    for (const [name, args] of [
      ['tokens', []],
      ['route', ['1.5', 'btc', 'rune']],
      ['sroute', ['1.5', 'btc', 'rune']],
      ['arbs', []],
      ['arbroute', ['5000', 'usdc']],
    ] as const) {
      const document = JSON.parse(swap([name, ...args, '--json']).stdout)
      const check = Compile(schema(name, 'answer'))
      assert.deepEqual([...check.Errors(document)], [], name)
      assert.ok(!check.Check({ ...document, height: '1' }), name)
    }
  })
  test('says of the request what the service takes', () => {
    const check = Compile(schema('route', 'request'))
    const body = { input: { denom: 'btc-btc', amount: '150000000' }, output: { denom: 'rune' } }
    assert.ok(check.Check(body))
    assert.ok(!check.Check({ ...body, max_hop: 3 }))
  })
  test('says of a problem what an error prints', () => {
    const problem = JSON.parse(swap(['route', '1', 'btc', 'runr', '--json']).stdout)
    const check = Compile(schema('problem'))
    assert.ok(check.Check({ ...problem, instance: 'x' }))
  })
  test('names its dialect, and is indented for people', () => {
    assert.equal(schema('route', 'answer').$schema, 'https://json-schema.org/draft/2020-12/schema')
    assert.match(swap(['schema', 'route', 'answer']).stdout, /^\{\n {2}"\$schema"/)
  })
  test('refuses a document and a part that there are not', () => {
    assert.match(swap(['schema', 'rout']).stderr, /did you mean route/)
    assert.match(swap(['schema', 'route', 'reply']).stderr, /there are request, answer/)
    assert.equal(swap(['schema', '__proto__']).status, 2)
    assert.equal(swap(['schema', 'route', 'constructor']).status, 2)
  })
})
