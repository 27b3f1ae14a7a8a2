import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, test } from 'vitest'
import { faultyNode } from '../chain/rpc/stage.js'
import { type Staged, stage } from '../service/stage.js'
import { chainOf, grow, threePairs } from '../support/chain.js'
import { temporaryFolder } from '../support/folder.js'
import { CONFIG, compile } from './consumer.js'

const page = readFileSync('docs/library.md', 'utf8')
const examples = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code = '']) => code)

/** Examples import the built package by its name, which resolves in a project that has it installed. */
const asFunction = (code: string): string => {
  const body = code.replaceAll(
    /^import \{(.*)\} from '(.*)'$/gm,
    (_, names: string, module: string) =>
      `const {${names.replaceAll(' as ', ': ')}} = await import('${module}')`,
  )
  return `async (console) => {\n${body}\n}`
}

const program = `const [url, rpc] = process.argv.slice(2)
const results = []
for (const example of [${examples.map(asFunction).join(',\n')}]) {
  const printed = []
  const console = { log: (...values) => printed.push(values.map(String).join(' ')) }
  const failure = await example(console).then(() => null, (error) => String(error.stack))
  results.push({ printed, failure })
}
process.stdout.write(JSON.stringify(results))
`

type Result = { readonly printed: readonly string[]; readonly failure: string | null }
let service: Staged
let results: readonly Result[] = []
beforeAll(async () => {
  service = await stage()
  const url = await service.server.listen({ host: '127.0.0.1', port: 0 })
  const chain = chainOf({ seed: 13 }, threePairs)
  grow(chain, 1)
  const { rpc } = await faultyNode(chain)
  const file = join(writeProject(), 'run.mjs')
  writeFileSync(file, program)
  const { stdout } = await promisify(execFile)(process.execPath, [file, url, rpc])
  results = JSON.parse(stdout) as readonly Result[]
})

/** The examples as modules of one project, in which the built package is installed. */
function writeProject(): string {
  const folder = temporaryFolder('examples')
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/swap'))
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const given = 'declare const url: string\ndeclare const rpc: string\n'
  for (const [at, code] of examples.entries())
    writeFileSync(join(folder, `example-${at + 1}.ts`), `${code}${given}export {}\n`)
  const module = { module: 'nodenext', moduleResolution: 'nodenext' }
  const compilerOptions = { ...CONFIG.compilerOptions, ...module }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['example-*.ts'] }),
  )
  return folder
}

describe('docs/library.md', () => {
  test('has examples that compile strictly, with unchecked index access refused', async () => {
    await compile({ folder: writeProject() }, 'tsconfig.json')
  })
  for (const [at, code] of examples.entries()) {
    const [names = ''] = /\{.*\}/.exec(code) ?? []
    test(`has an example of ${names} that runs on the built package`, () => {
      const { printed, failure } = results[at]!
      assert.equal(failure, null)
      assert.ok(printed.length > 0)
      for (const line of printed) assert.doesNotMatch(line, /undefined|NaN/)
    })
  }
})
