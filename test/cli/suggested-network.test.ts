import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, onTestFinished, test } from 'vitest'
import { networkCommands } from '../../src/cli/commands/index.js'
import { renderAddresses } from '../../src/cli/commands/serve/run.js'
import { onNetwork } from '../../src/config/configured.js'
import { loadConfig } from '../../src/config/load.js'
import { plainStyle } from '../../src/render/style.js'
import { freshHome, runIn } from '../support/cli.js'

const { home } = freshHome()

/** What a call prints on both streams, its wrapped lines joined. */
async function printed(call: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout, stderr } = await runIn({ home, env }, call.split(' '))
  return `${stdout}${stderr}`.replaceAll(/\s+/g, ' ')
}

describe('a suggested command', () => {
  test.each([
    ['sroute 30 btc rune -o human', 'swap -n demo max btc rune --max-impact 5% --split'],
    ['max btc rune --max-impact 5% -o human', 'Next swap -n demo route '],
    ['history -o human', 'Fill the index once: swap -n demo history --sync Keep'],
    ['history', 'fill the index once: swap -n demo history --sync'],
    ['price btc -o human', 'read more: swap -n demo history --sync'],
    ['keys show none', 'list them: swap -n demo keys list make one: swap -n demo keys new'],
    ['route 1 runx btc', 'list them: swap -n demo tokens'],
    ['route 1 runx btc --json', 'list them: swap -n demo tokens"'],
    ['plan show none.json', 'write one: swap -n demo plan twap 10'],
  ])('of swap %s repeats the network that a flag named', async (call, command) => {
    const text = await printed(`${call} -n demo`)
    assert.ok(text.includes(command), text)
    const other = await printed(call, { SWAP_NETWORK: 'demo' })
    assert.ok(other.includes(command.replaceAll(' -n demo', '')), other)
  })

  test('stays as it is where it names a network, or does not depend on one', async () => {
    const sources = { env: {}, cwd: home, home, configFile: null, flags: { network: 'mainnet' } }
    const suggest = onNetwork(await loadConfig(sources), networkCommands)
    for (const text of [
      'show it there: swap keys show demo -n demo',
      'end it with: swap demo stop; or swap config list',
      'see: swap help route',
      'a swap through the router, never a swap order-free',
      renderAddresses('mainnet', 'http://127.0.0.1:8555', plainStyle),
    ])
      assert.equal(suggest(text), text)
    assert.equal(
      suggest('see: swap keys show demo -n demo; or swap keys list && swap tx wait HASH'),
      'see: swap keys show demo -n demo; or swap -n mainnet keys list && swap -n mainnet tx wait HASH',
    )
  })

  test('repeats the saved market that a flag named, where it answers from one', async () => {
    const saved = `${home}/a saved market.json`
    await runIn({ home, env: {} }, ['snapshot', 'save', saved])
    const call = (...args: readonly string[]) =>
      runIn({ home, env: {} }, [...args, '--snapshot', saved])
    assert.match(
      (await call('route', '1', 'runx', 'btc')).stderr.replaceAll(/\s+/g, ' '),
      new RegExp(`list them: swap --snapshot '${saved}' tokens`),
    )
    const limit = ['max', 'btc', 'rune', '--max-impact', '5%', '-n', 'demo', '-o', 'human']
    const next = (await call(...limit, '--width', '200')).stdout
    assert.ok(next.includes(`Next        swap --snapshot '${saved}' -n demo route `), next)
    assert.match((await call('execute', '1', 'btc', 'rune')).stderr, /leave --snapshot out/)

    const other = createServer().listen(0, '127.0.0.1')
    onTestFinished(() => void other.close())
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const busy = (await call('serve', '--listen', `127.0.0.1:${port}`)).stderr
    assert.ok(
      busy.replaceAll(/\s+/g, ' ').includes(`swap --snapshot '${saved}' serve --listen`),
      busy,
    )
  })

  test('lists the orders of the account that a flag named', async () => {
    const text = await printed('order cancel rune/usdc --from demo')
    assert.match(text, /list them: swap order list --from demo code/)
    assert.match(
      await printed('order show rune/usdc --from demo -n demo'),
      /swap -n demo order list --from demo code/,
    )
  })
})
