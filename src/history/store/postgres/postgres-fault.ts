import { errorCode } from '../../../engine/errors.js'
import { withoutPassword } from '../database-url.js'
import { type DriverFault, driverFault, type StoreFault, TRY_AGAIN } from '../fault.js'

/** The failures that a server reports. */
type ServerFault = Exclude<DriverFault, 'readonly'>

/** The code of a table that does not exist: the database was created anew, or is being restored. */
const NO_TABLE = '42P01'

/** The search path names no schema that exists and that the user may use. */
const NO_SCHEMA = '3F000'

/** All connections of the server, the database or the role are in use. */
const NO_CONNECTION = '53300'

/** The user lacks a right, e.g. to create tables. */
const NO_RIGHT = '42501'

/** A replica, or a database that was set to read-only. */
const NO_WRITES = '25006'

/** A trigger on the server refuses a row. */
const RAISED = 'P0001'

/** The encoding of the database lacks a character of a text, as LATIN1 does. */
const NO_CHARACTER = '22P05'

export const isMissingTable = (error: unknown): boolean => errorCode(error) === NO_TABLE

/** PostgreSQL's error codes by prefix; of two that fit the longer one comes first. */
const states: readonly (readonly [string, ServerFault])[] = [
  ['57014', 'slow'],
  [NO_CONNECTION, 'slow'],
  ['53100', 'full'],
  ['55P03', 'locked'],
  ['40', 'locked'],
  ['XX001', 'corrupt'],
  ['XX002', 'corrupt'],
  // A table, column or key that exists already, or does not: the tables or rows were changed by hand.
  ['23', 'corrupt'],
  // A view in place of a table, or a generated column.
  ['55000', 'corrupt'],
  ['428C9', 'corrupt'],
  ['42P07', 'corrupt'],
  ['42P10', 'corrupt'],
  ['42701', 'corrupt'],
  ['42703', 'corrupt'],
  ['57P', 'down'],
  ['25P', 'down'],
  ['08', 'down'],
  ['53', 'down'],
  ['58', 'down'],
  ['28', 'down'],
  ['3D', 'down'],
  ['3F', 'down'],
  [NO_RIGHT, 'down'],
  [RAISED, 'down'],
  [NO_CHARACTER, 'down'],
  [NO_TABLE, 'down'],
  // An unknown setting: PostgreSQL before 14 cannot end idle sessions.
  ['42704', 'down'],
  [NO_WRITES, 'down'],
]

/** The driver's messages and the system's codes. */
const sentences: readonly (readonly [RegExp, ServerFault])[] = [
  [/timeout exceeded when trying to connect|EMFILE|ENFILE/i, 'slow'],
  [/terminat|not queryable|client was closed|connection (ended|error)|ECONN|ENOTFOUND/i, 'down'],
  [
    /EAI_AGAIN|EPIPE|ETIMEDOUT|ENOENT|EACCES|EHOSTUNREACH|timeout expired|read timeout|SSL|SASL/i,
    'down',
  ],
  [/read ECONN|server closed|cannot use a pool|certificate|EISDIR/i, 'down'],
  [/corrupted migrations/, 'corrupt'],
]

/** The meaning of a server's failure; `undefined` for a bug. */
export function postgresFault(url: string, error: unknown): StoreFault | undefined {
  const {
    code = '',
    message = '',
    severity,
  } = error as { code?: unknown; message?: string; severity?: unknown }
  const words = `${code} ${message}`
  const kind =
    states.find(([state]) => /^[0-9A-Z]{5}$/.test(`${code}`) && `${code}`.startsWith(state))?.[1] ??
    sentences.find(([sentence]) => sentence.test(words))?.[1] ??
    // The server refuses the session, as with `options` that it cannot read; a wrong statement is an ERROR.
    (severity === 'FATAL' ? 'down' : undefined)
  if (kind === undefined) return undefined
  const committed = kind === 'full' ? '; what was committed is safe' : ''
  const isWithoutPassword = NO_PASSWORD.test(message)
  const said = isWithoutPassword ? 'the server asks for a password' : safe(url, message)
  const hint = isWithoutPassword ? PASSWORD : (hintsOfCodes[`${code}`] ?? hints[kind])
  return driverFault(kind, `${withoutPassword(url)}: ${said}${committed}`, hint)
}

/** The server's message, with the password masked. */
function safe(url: string, message: string): string {
  try {
    const { password } = new URL(url)
    const parts = [password, decodeURIComponent(password)].filter((part) => part !== '')
    return parts.reduce((text, part) => text.replaceAll(part, '***'), message)
  } catch {
    return 'the server refused'
  }
}

/** The driver's message where the URL and the environment have no password. */
const NO_PASSWORD = /client password must be a string/

const PASSWORD = 'set PGPASSWORD, or the URL with its password in SWAP_DATABASE'

const SCHEMA =
  'create the schema, if the URL names one (search_path), with the user of the URL as its owner; then swap history --sync makes the tables'

const hintsOfCodes: Readonly<Record<string, string>> = {
  [NO_TABLE]: SCHEMA,
  [NO_SCHEMA]: SCHEMA,
  [NO_CONNECTION]:
    'raise max_connections of the server, or the connection limit of the role or database, or run fewer processes',
  [NO_RIGHT]:
    'make the user of the URL the owner of the database, or grant it CREATE on the schema and all rights on its tables',
  [RAISED]: 'drop or repair the trigger that refuses it: indexing then continues',
  [NO_CHARACTER]: "name a database that was created with template template0 encoding 'UTF8'",
  [NO_WRITES]: 'name the primary server, or allow writes (default_transaction_read_only)',
}

const hints: Readonly<Record<ServerFault, string>> = {
  slow: TRY_AGAIN,
  full: 'free some space on the server: indexing then continues',
  locked: 'try again; if it stays so, look for a long transaction on the server',
  corrupt: 'name a new database with --database and run `swap history --sync` to fill it',
  down: 'check that the server runs, and the name, user, password and TLS parameters of the database',
}
