import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Intent, isOpen, type Journal, type Owner } from '../app/execute/follow/intent.js'
import { ownFolder, renameDurably, writeDurably } from './durable.js'
import { readIntent } from './schema.js'

/** A new id: `x_` and 8 hex digits. */
export const newIntentId = (): string => `x_${randomBytes(4).toString('hex')}`

/** `<time>.<id>.<digest of once>.<open|done>.json`: all that is looked for is in the name. */
const NAME = /^(\d{8}T\d{9})\.(x_[0-9a-f]{8})\.([0-9a-f]{16})\.(open|done)\.json$/

type Entry = {
  readonly name: string
  readonly time: string
  readonly id: string
  readonly once: string
  readonly isDone: boolean
}

const digestOf = ({ chainId, address }: Owner, key: string | null): string =>
  key === null
    ? '0'.repeat(16)
    : createHash('sha256')
        .update(JSON.stringify([chainId, address, key]))
        .digest('hex')
        .slice(0, 16)

const stampOf = (time: string): string =>
  time
    .replace(/[-:.Z]/g, '')
    .padEnd(18, '0')
    .slice(0, 18)

/** The journal in a folder, one file an intent. The folder is made when something is put. */
export function journalIn(folder: string): Journal {
  const read = ({ name }: Entry): Intent =>
    readIntent(readFileSync(join(folder, name), 'utf8'), join(folder, name))
  const all = () => entriesIn(folder)
  return {
    put(intent) {
      ownFolder(folder)
      const owner = { chainId: intent.chain_id, address: intent.address }
      const stem = [stampOf(intent.created), intent.id, digestOf(owner, intent.once)].join('.')
      const [open, done] = [join(folder, `${stem}.open.json`), join(folder, `${stem}.done.json`)]
      // There is one file at any moment, and whenever its name says "done" nothing is open.
      if (existsSync(done)) renameDurably(done, open)
      writeDurably(open, join(folder, `.${intent.id}.tmp`), JSON.stringify(intent))
      if (!isOpen(intent)) renameDurably(open, done)
    },
    find(idOrHash) {
      const entry = all().find(({ id }) => id === idOrHash)
      if (entry) return read(entry)
      if (!/^[0-9a-f]{64}$/i.test(idOrHash)) return undefined
      const hash = idOrHash.toUpperCase()
      for (const each of [...all()].reverse()) {
        const intent = read(each)
        if (intent.txs.some((tx) => tx.hash === hash)) return intent
      }
      return undefined
    },
    once(owner, key) {
      const digest = digestOf(owner, key)
      const entry = all().findLast(({ once }) => once === digest)
      return entry && read(entry)
    },
    open: (owner) =>
      all()
        .filter(({ isDone }) => !isDone)
        .map(read)
        .filter(
          (intent) =>
            isOpen(intent) &&
            (!owner || (intent.chain_id === owner.chainId && intent.address === owner.address)),
        ),
    recent(most, since) {
      const from = since === undefined ? '' : stampOf(since)
      return [...all()]
        .reverse()
        .filter(({ time }) => time >= from)
        .slice(0, most)
        .map(read)
    },
  }
}

/** Entries by time. */
function entriesIn(folder: string): readonly Entry[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [, time = '', id = '', once = '', state] = NAME.exec(name) ?? []
      return id === '' ? [] : [{ name, time, id, once, isDone: state === 'done' }]
    })
}
