import type { Origin } from './layers.js'
import type { Config } from './load.js'
import { keyOf } from './naming.js'
import { type SettingName, settings, type Values } from './schema.js'

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
