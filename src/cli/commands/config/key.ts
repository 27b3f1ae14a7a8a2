import { isBookName } from '../../../config/address-book.js'
import type { KeyPath } from '../../../config/edit.js'
import { nameOfKey, type SettingName } from '../../../config/schema.js'
import { didYouMean, foldCase } from '../../../config/suggest.js'
import type { SwapError } from '../../../engine/errors.js'
import { quote } from '../../../render/width.js'
import { invalidRequest } from '../../invalid-request.js'

/** What a key on the command line names: a setting, an alias, or a name of the address book. */
export type Key = {
  /** As `swap config list` has it: `slippage`, `router.address`, `alias.usd`. */
  readonly text: string
  readonly name: SettingName | undefined
  readonly path: KeyPath
}

/** Reads a key; the spellings of a flag are accepted too: `max-hops`, `--max-hops`. */
export function keyNamed(text: string): Key {
  if (/^alias\.[a-z][\w.-]{0,63}$/i.test(text)) {
    const alias = foldCase(text.slice('alias.'.length))
    return { text: `alias.${alias}`, name: undefined, path: ['alias', alias] }
  }
  if (text.startsWith('book.') && isBookName(text.slice('book.'.length))) {
    const name = foldCase(text.slice('book.'.length))
    return { text: `book.${name}`, name: undefined, path: ['book', name] }
  }
  const key = text.replace(/^--/, '').replaceAll('-', '_')
  const name = nameOfKey.get(key)
  if (name === undefined) throw unknown(text)
  const [group = '', ...member] = key.split('.')
  return { text: key, name, path: member.length === 0 ? [group] : [group, member.join('.')] }
}

function unknown(text: string): SwapError {
  const isNetwork = text.startsWith('networks')
  const near = didYouMean(text, [...nameOfKey.keys(), 'alias.usd', 'book.alice'])
  return invalidRequest(`no setting is called ${quote(text)}`, '', {
    why: isNetwork
      ? 'a network has many members; it is written into the file by hand'
      : `there are ${[...nameOfKey.keys()].join(', ')}, alias.NAME and book.NAME`,
    hint: isNetwork
      ? 'see .swaprc.example; your files: swap config path'
      : (near ?? 'list them: swap config list'),
    detail: 'not a setting',
  })
}
