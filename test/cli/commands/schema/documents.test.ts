import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { describe, test } from 'vitest'
import { namedCommands, shownCommands } from '../../../../src/cli/command.js'
import { commands } from '../../../../src/cli/commands/index.js'
import { documentSchemas } from '../../../../src/cli/commands/schema/run.js'
import { freshHome } from '../../../support/cli.js'
import { exampleOf } from '../../../support/examples.js'
import { temporaryFolder } from '../../../support/folder.js'
import { blocksOf, recordTape } from '../../../support/tape.js'
import { type SchemaNode, undescribed } from '../../../support/undescribed.js'
import { DEMO, network } from '../execute/stage.js'

const { swap: atHome } = freshHome()

/** The commands that ask a chain, which one of three pairs answers sooner than the demo chain does. */
const asking = ['simulate', 'execute', 'book', 'balances', 'order', 'history']
const net = await network()
const swap = (name: string, ...args: readonly string[]) =>
  asking.includes(name) ? net.run(name, ...args) : atHome(name, ...args)

const QUOTE = ['0.1', 'btc', 'rune']

const tape = join(temporaryFolder('schema'), 'blocks.tape')
await recordTape(tape, blocksOf(2))
writeFileSync(`${tape}.password`, 'quartz-Umlaut-71-verglas', { mode: 0o600 })
writeFileSync(`${tape}.hex`, '07'.repeat(32), { mode: 0o600 })

const PASSWORD = ['--password-file', `${tape}.password`]

/** Calls that print a document, the fullest first, where the one of `exampleOf` does not. */
const own: Readonly<Record<string, readonly (readonly string[])[]>> = {
  route: [
    ['route', ...QUOTE, '--explain', '--verify'],
    ['route', ...QUOTE],
  ],
  sroute: [
    ['sroute', ...QUOTE, '--explain', '--verify'],
    ['sroute', ...QUOTE],
  ],
  simulate: [['simulate', ...QUOTE, '--from', DEMO]],
  arbroute: [['arbroute', '5000', 'usdc', '--curve', '5']],
  'history-orders': [['history', '--orders']],
  curve: [['curve', 'btc', 'rune', '--points', '3']],
  execute: [['execute', ...QUOTE, '--from', 'demo', '--dry-run']],
  price: [
    ['price', 'btc'],
    ['price', 'tcy', '--in', 'ltc'],
  ],
  book: [
    ['book', 'btc/usdc'],
    ['book', 'btc/usdc', '--amount', '0.1btc'],
  ],
  balances: [['balances', DEMO]],
  order: [['order', 'buy', '5', 'rune', 'usdc', '--price', '0.1', '--from', 'demo', '--dry-run']],
  'order-list': [['order', 'list', '--from', DEMO]],
  'snapshot-save': [['snapshot', 'save', `${tape}.json`]],
  plan: [['plan', 'twap', ...QUOTE, '--slices', '2', '--every', '1s', '--file', `${tape}.plan`]],
  'tape-backtest': [['tape', 'backtest', tape, `${tape}.plan`]],
  'tape-show': [['tape', 'show', tape]],
  'tape-verify': [['tape', 'verify', tape]],
  'tape-record': [['tape', 'cut', tape, `${tape}.part`]],
  'tape-cut': [['tape', 'cut', tape, `${tape}.cut`]],
  'tape-drift': [['tape', 'drift', tape, '--pairs', 'btc/usdc']],
  'demo-faucet': [['demo', 'faucet', DEMO, '5rune']],
  'demo-logs': [['demo', 'logs', '--lines', '1']],
  'keys-new': [['keys', 'new', 'main', ...PASSWORD, '--mnemonic-file', `${tape}.words`]],
  'keys-import': [
    ['keys', 'import', 'same', `${tape}.words`, ...PASSWORD],
    ['keys', 'import', 'other', `${tape}.hex`, ...PASSWORD],
  ],
  'keys-add-external': [
    ['keys', 'add-external', 'device', '--address', DEMO, '--signer', 'exec:/bin/true'],
  ],
  'keys-show': [['keys', 'show', 'demo']],
  'keys-check': [['keys', 'check', 'main', ...PASSWORD]],
  'keys-use': [['keys', 'use', 'main']],
  'keys-export': [['keys', 'export', 'main', ...PASSWORD, '--out', `${tape}.key`]],
  'keys-rename': [['keys', 'rename', 'other', 'renamed']],
  'keys-reencrypt': [
    ['keys', 'reencrypt', 'main', ...PASSWORD, '--new-password-file', `${tape}.password`],
  ],
  'keys-delete': [['keys', 'delete', 'renamed', '--confirm', 'renamed']],
  'config-get': [
    ['config', 'get', 'max_hops'],
    ['config', 'get', 'alias.none'],
  ],
  'config-set': [['config', 'set', 'max_hops', '3']],
  'config-unset': [['config', 'unset', 'max_hops']],
  'completion-install': [['completion', 'install', '--shell', 'bash', '--yes']],
  'completion-uninstall': [['completion', 'uninstall', '--shell', 'bash']],
  doctor: [['doctor', '--offline']],
  problem: [['route', '1', 'btc', 'runr']],
}

/** Documents of the service that no command prints; compared in test/operations/orders/. */
const ofService = ['orders', 'order-preview']

/** Documents of transactions that were sent; compared below. */
const ofSent = ['tx-sign', 'tx-broadcast', 'tx-show', 'tx-wait', 'tx-resume', 'order-show']

/** Documents of commands that start a process or an editor; their members are those of another, or compared there. */
const ofProcesses = ['demo-start', 'serve', 'config-edit']

/** Commands without a document of their own. */
const WITHOUT = [
  'completion bash',
  'completion zsh',
  'completion fish',
  'completion powershell',
  'tape replay',
  'mcp',
]

const documents = [...(await documentSchemas(commands)).keys()]
const calls = documents
  .filter((name) => ![...ofService, ...ofSent, ...ofProcesses].includes(name))
  .map((name) => [name, own[name] ?? [exampleOf(name)]] as const)

/** Asserts that a document printed by a command has the form of its schema. */
async function conforms(name: string, document: object): Promise<void> {
  const schema = await schemaOf(name)
  assert.deepEqual(Value.Errors((schema.answer ?? schema) as never, document).slice(0, 3), [])
}

const schemaOf = async (name: string) => {
  const document = JSON.parse((await swap('schema', name, '--json')).stdout)
  return document as { readonly request?: SchemaNode; readonly answer?: SchemaNode } & SchemaNode
}

describe('the schema of every document', () => {
  test('is there for each command, or its group, that prints one', () => {
    const known = new Set(documents)
    const names = namedCommands(shownCommands({ name: '', summary: '', commands }))
    const without = names.flatMap(([name, { load }]) =>
      load && !known.has(name.replaceAll(' ', '-')) && !known.has(name.split(' ')[0]!) ? name : [],
    )
    assert.deepEqual(without, WITHOUT)
  })
  test('describes each member, nested ones and those of lists', async () => {
    for (const [name, parts] of await documentSchemas(commands))
      for (const [part, schema] of Object.entries(parts))
        assert.deepEqual(undescribed(schema as SchemaNode, `${name} ${part}`), [])
  })
  for (const [name, lines] of calls)
    for (const line of lines)
      test(`holds for swap ${line.join(' ')}`, async () => {
        const [command = '', ...args] = line
        const { stdout, stderr } = await swap(command, ...args, '--json')
        assert.notEqual(stdout, '', stderr)
        const answer = JSON.parse(stdout) as { readonly code?: string }
        const advice = `${stderr}A call that prints the document belongs in \`own\` of this file.`
        assert.ok(name === 'problem' || answer.code === undefined, advice)
        await conforms(name, name === 'problem' ? { ...answer, instance: 'x' } : answer)
      })
  test('holds for an executed swap in its report, swap tx show and the journal', async () => {
    const call = [...QUOTE, '--from', 'demo', '--slippage', '1%', '--yes', '--json']
    const { status, stdout, stderr } = await net.run('execute', ...call)
    assert.equal(status, 0, stderr)
    await conforms('execute', JSON.parse(stdout))
    const [{ hash }] = JSON.parse(stdout).txs
    await conforms('tx-show', JSON.parse((await net.run('tx', 'show', hash, '--json')).stdout))
    assert.match((await net.run('tx', 'show', hash, '--csv')).stdout, /^key,value\r\nid,/)
    const journal = JSON.parse((await net.run('journal', '--json')).stdout)
    assert.equal(journal.total, 1)
    await conforms('journal', journal)
    await conforms('tx-wait', JSON.parse((await net.run('tx', 'wait', hash, '--json')).stdout))
    await conforms('tx-resume', JSON.parse((await net.run('tx', 'resume', '--json')).stdout))
  })
  test('holds for a transaction that is made, signed and sent in three steps', async () => {
    const guarded = ['--from', 'demo', '--slippage', '1%', '--yes']
    const made = await net.run('execute', ...QUOTE, '--from', 'demo', '--generate-only')
    await conforms('tx-sign', JSON.parse(made.stdout))
    await conforms('execute', JSON.parse(made.stdout))
    const signed = await net.run('tx', 'sign', net.file('made.json', made.stdout), ...guarded)
    await conforms('tx-sign', JSON.parse(signed.stdout))
    const file = net.file('signed.json', signed.stdout)
    const sent = await net.run('tx', 'broadcast', file, '--json')
    await conforms('tx-broadcast', JSON.parse(sent.stdout))
  })
})
