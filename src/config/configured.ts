import { demo } from '../chain/networks/demo.js'
import { shellWord } from '../platform/shell-word.js'
import type { Origin } from './layers.js'
import { type Config, type ConfigRow, shownPath } from './load.js'
import { envOf, flagOf, keyOf } from './naming.js'
import { type SettingName, settings, type Values } from './schema.js'

/** Whether the configured network is the demo chain of this machine, in this process or another. */
export const isOwnDemo = ({ network, values }: Pick<Config, 'network' | 'values'>): boolean =>
  network.name === demo.name && values.rpc === undefined

/**
 * The value of a setting from the given origins only; `undefined` if none of them
 * sets it.
 */
export function configuredValue<Name extends SettingName>(
  { rows }: Pick<Config, 'rows'>,
  name: Name,
  origins: readonly Origin[],
): Values[Name] | undefined {
  const key = keyOf(name)
  const row = rows.find((each) => each.key === key)
  const set = row === undefined ? [] : [row, ...row.overrides]
  const text = set.find(({ origin }) => origins.includes(origin))?.value
  if (text == null) return undefined
  return settings[name].read(text, { label: key, folder: '' }) as Values[Name]
}

/**
 * What completes the commands that a text suggests: it repeats the network there if a flag named it. From other origins
 * the next command reads it as well.
 *
 * @param commands the names of those that depend on the network
 * @example onNetwork(config, ['tx'])('wait: swap tx wait HASH') // 'wait: swap -n mainnet tx wait HASH'
 */
export function onNetwork(config: Pick<Config, 'rows'>, commands: readonly string[]) {
  const network = configuredValue(config, 'network', ['flag'])
  return repeating(network === undefined ? [] : ['-n', network], commands)
}

/**
 * Repeats flags with their values in the suggested commands that depend on them and do not have the first one.
 *
 * @param isOfCommand they are flags of these commands alone, and written behind their names
 */
export function repeating(
  [flag, ...more]: readonly string[],
  commands: readonly string[],
  isOfCommand = false,
): (text: string) => string {
  if (flag === undefined) return (text) => text
  const suggested = new RegExp(
    `\\bswap(?![^;:&\\n]*\\s${flag}\\s)(\\s)((?:-n\\s\\S+\\s)?(?:${commands.join('|')})(?![\\w-]))`,
    'g',
  )
  const given = [flag, ...more.map(shellWord)]
  return (text) =>
    text.replaceAll(suggested, (_, space, command) =>
      ['swap', ...(isOfCommand ? [command, ...given] : [...given, command])].join(space),
    )
}

/** Names the account of the call in a suggested list of orders. */
export const listingOrders =
  (account: string | undefined) =>
  (text: string): string =>
    account === undefined
      ? text
      : text.replaceAll(/\bswap order list(?! --from)/g, `$& --from ${shellWord(account)}`)

/**
 * The words of a suggested command that repeat settings: those that a flag set.
 *
 * @example givenFlags(config, ['maxHops', 'snapshot']) // ['--max-hops', '1']
 */
export const givenFlags = (
  config: Pick<Config, 'rows'>,
  names: readonly SettingName[],
): readonly string[] =>
  names.flatMap((name) => {
    const value = configuredValue(config, name, ['flag'])
    return value === undefined ? [] : [flagOf(name), `${value}`]
  })

/**
 * Where the router's address comes from, for the confirmation before a signature.
 *
 * @example 'of your configuration (~/.swaprc:3)'
 */
export function routerOrigin(
  { rows, network }: Pick<Config, 'rows' | 'network'>,
  home: string | undefined,
): string {
  const row = (key: string): ConfigRow | undefined =>
    rows.find((each) => each.key === key && each.value !== null)
  const place = row(keyOf('routerAddress')) ?? row(`networks.${network.name}`)
  switch (place?.origin) {
    case 'flag':
      return `of the flag ${flagOf('routerAddress')}`
    case 'env':
      return `of the environment (${envOf('routerAddress')})`
    case 'user':
    case 'project':
      return `of your configuration (${shownPath(place.file ?? '', home)}:${place.line})`
    default:
      return 'of the built-in list'
  }
}
