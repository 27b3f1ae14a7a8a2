import { randomBytes } from 'node:crypto'
import { existsSync, lstatSync, readdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { errorCode } from '../../engine/errors.js'
import { renameDurably, replaceFile } from '../../platform/atomic-file.js'
import { sha256, toHex } from '../../platform/encoding.js'
import { regularText } from '../../platform/file-stream.js'
import { ownFolder, storageFailure } from './durable.js'
import {
  hashMatcher,
  type Intent,
  isOpen,
  type Journal,
  type Owner,
  type UnreadEntry,
} from './intent.js'
import { readIntent, unreadableFinished } from './read-intent.js'

/** A new id: `x_` and 8 hex digits. */
export const newIntentId = (): string => `x_${randomBytes(4).toString('hex')}`

/** `<time>.<id>.<digest of once>[.<quote>].<open|done>.json`: lookups read the name only. */
const NAME =
  /^\d{8}T\d{9}\.(x_[0-9a-f]{8})\.([0-9a-f]{16})(?:\.(q_[0-9a-f]{8}))?\.(open|done)\.json$/

type Entry = {
  readonly name: string
  readonly id: string
  readonly once: string
  readonly quote: string | undefined
  readonly isDone: boolean
}

/** The digest of no key. */
const NO_KEY = '0'.repeat(16)

const digestOf = ({ chainId, address }: Owner, key: string | null): string =>
  key === null ? NO_KEY : toHex(sha256(JSON.stringify([chainId, address, key]))).slice(0, 16)

const stampOf = (time: string): string =>
  time
    .replace(/[-:.Z]/g, '')
    .padEnd(18, '0')
    .slice(0, 18)

/**
 * The journal in a folder, one file per intent. The first `put` creates the folder.
 *
 * @param note prints a text for each file that a search for a hash skips
 */
export function journalIn(folder: string, note: (text: string) => void = () => {}): Journal {
  const read = ({ name }: Entry): Intent => readIntent(textOf(folder, name), join(folder, name))
  const readOrPassOver = (entry: Entry): Intent | UnreadEntry => {
    try {
      return read(entry)
    } catch (error) {
      const unread = unreadableFinished(error)
      if (unread === undefined) throw error
      return unread
    }
  }
  const newestFirst = () => [...entriesIn(folder)].reverse()
  const replace = (path: string, intent: Intent) =>
    replaceFile(path, JSON.stringify(intent), {
      isDurable: true,
      draft: join(folder, `.${intent.id}.tmp`),
    })
  const write = (work: () => void) => {
    ownFolder('the journal', folder)
    try {
      work()
    } catch (error) {
      throw storageFailure('the journal', folder, error)
    }
  }
  return {
    put(intent) {
      const stem = stemOf(intent)
      const [open, done] = [join(folder, `${stem}.open.json`), join(folder, `${stem}.done.json`)]
      write(() => {
        // There is always exactly one file; a name with "done" implies that nothing is open.
        if (existsSync(done)) renameDurably(done, open)
        replace(open, intent)
        if (!isOpen(intent)) renameDurably(open, done)
      })
    },
    requireRoom(intent) {
      const path = join(folder, `.${intent.id}.room`)
      write(() => {
        replace(path, intent)
        rmSync(path)
      })
    },
    find(idOrHash) {
      const entry = entriesIn(folder, `.${idOrHash}.`).find(({ id }) => id === idOrHash)
      if (entry) return read(entry)
      const isNamed = hashMatcher(idOrHash)
      if (isNamed === undefined) return undefined
      let found: Intent | undefined
      for (const each of newestFirst()) {
        const intent = readOrPassOver(each)
        if (isUnread(intent)) note(unreadNote(intent))
        else if (intent.txs.some(({ hash }) => isNamed(hash))) {
          const isWhole = idOrHash.length >= 64
          if (isWhole) return intent
          if (found !== undefined) return undefined
          found = intent
        }
      }
      return found
    },
    once(owner, key) {
      const digest = digestOf(owner, key)
      return newestFirst()
        .filter(({ once }) => once === digest)
        .map(read)
    },
    keyed(prefix) {
      // Reading the intents of a journal of thousands takes seconds; their texts are looked through first.
      const member = `"once":${JSON.stringify(prefix).slice(0, -1)}`
      return newestFirst()
        .filter(({ name, once }) => once !== NO_KEY && textOf(folder, name)?.includes(member))
        .map(read)
    },
    ofQuote: (quoteId, owner) =>
      newestFirst()
        .filter(({ quote }) => quote === quoteId)
        .map(read)
        .filter(isOf(owner)),
    open: (owner) =>
      entriesIn(folder)
        .filter(({ isDone }) => !isDone)
        .map(read)
        .filter(isOpen)
        .filter(isOf(owner)),
    recent(most) {
      const found = newestFirst().slice(0, most).map(readOrPassOver)
      return {
        intents: found.filter((each): each is Intent => !isUnread(each)),
        unread: found.filter(isUnread),
      }
    },
  }
}

const isUnread = (found: Intent | UnreadEntry): found is UnreadEntry => 'reason' in found

/** One line about an unreadable entry that an answer omits. */
export const unreadNote = ({ path }: UnreadEntry): string =>
  `an entry of the journal cannot be read, and is left out: ${path}`

/** Attempts to read a file that another process may be renaming. */
const READS = 200

/** The text of a file; `undefined` if it cannot be read. */
function textOf(folder: string, name: string): string | undefined {
  const other = (state: string) => (state === 'open' ? 'done' : 'open')
  const names = [name, name.replace(/(open|done)(?=\.json$)/, other)]
  for (let reads = 0; reads < READS; reads += 1)
    try {
      return regularText(join(folder, names[reads % 2]!))
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') return undefined
    }
  return undefined
}

/** Whether an intent is of an account; any is without one. */
const isOf =
  (owner: Owner | undefined) =>
  ({ chain_id, address }: Intent): boolean =>
    owner === undefined || (chain_id === owner.chainId && address === owner.address)

/** The part of the file name that does not depend on the state. */
function stemOf({ created, id, chain_id, address, once, quote_id }: Intent): string {
  const parts = [stampOf(created), id, digestOf({ chainId: chain_id, address }, once)]
  const isId = quote_id !== null && /^q_[0-9a-f]{8}$/.test(quote_id)
  return [...parts, ...(isId ? [quote_id] : [])].join('.')
}

/** The names in the folder; none before the first `put`, which creates it. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT' && !leadsNowhere(folder)) return []
    throw storageFailure('the journal', folder, error)
  }
}

/** Whether a missing folder is behind a link whose target is missing, as of a disk that is not mounted. */
const leadsNowhere = (path: string): boolean =>
  !existsSync(path) &&
  (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() || leadsNowhere(dirname(path)))

/** Entries by time, of the files with a text in their name. */
function entriesIn(folder: string, part = ''): readonly Entry[] {
  return namesIn(folder)
    .filter((name) => name.includes(part))
    .sort()
    .flatMap((name) => {
      const [, id = '', once = '', quote, state] = NAME.exec(name) ?? []
      return id === '' ? [] : [{ name, id, once, quote, isDone: state === 'done' }]
    })
}
