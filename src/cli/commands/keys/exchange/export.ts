import { invalidRequest } from '../../../../engine/errors.js'
import { printable } from '../../../../platform/printable.js'
import { sentence } from '../../../../render/layout.js'
import { privateKeyOf } from '../../../../wallet/derive.js'
import { writeCosmjs } from '../../../../wallet/formats/cosmjs.js'
import { writeCosmosArmor } from '../../../../wallet/formats/cosmos-armor.js'
import { type FormatName, formatNames, type KeyExport } from '../../../../wallet/formats/foreign.js'
import { writeKeystore } from '../../../../wallet/formats/web3.js'
import { writeXchain } from '../../../../wallet/formats/xchain.js'
import { encodeKey } from '../../../../wallet/keyfile/key-document.js'
import { sealKey } from '../../../../wallet/keyfile/seal.js'
import { wordsOf } from '../../../../wallet/mnemonic.js'
import { wipe } from '../../../../wallet/secret.js'
import { openStored } from '../../../../wallet/signer.js'
import { loadSealed, type SealedKey } from '../../../../wallet/store/keys.js'
import { storeOf } from '../../../accounts/named-accounts.js'
import {
  newPassword,
  type PasswordPrompt,
  passwordSource,
  requireTerminal,
} from '../../../accounts/passwords.js'
import { clashing } from '../../../invalid-request.js'
import { printAnswer } from '../../../print-answer.js'
import { confirmName, formatIn, type KeysCall, withPasswords, writeSecret } from '../run.js'

/** Formats whose text is the plain secret. */
const PLAIN: readonly FormatName[] = ['mnemonic', 'hex']

/** Formats that hold a mnemonic only. */
const OF_WORDS: readonly FormatName[] = ['mnemonic', 'cosmjs', 'xchain']

/** Exports a key as a copy or for another program: to a new file, a pipe, or the alternate screen. */
export const runExport = withPasswords(async (call, [name = '']) => {
  const { context, flags, asking } = call
  const format = formatIn(flags, formatNames, {
    what: 'to export to',
    hint: 'leave --format out for a key file of swap',
  })
  const destination = destinationOf(call, format)
  const stored = await loadSealed(storeOf(context.surroundings), name)
  if (OF_WORDS.includes(format) && stored.document.secret !== 'mnemonic')
    throw invalidRequest(`${name} has no mnemonic, and ${format} holds nothing else`, '', {
      why: 'it was imported as a private key',
      hint: 'choose another format: swap, armor or keystore',
    })
  if (PLAIN.includes(format)) await confirmName(call, name, 'export its secret')
  const text = await exportText(stored, format, asking)
  try {
    await deliver(call, { name, format, destination }, text)
  } finally {
    wipe(text)
  }
})

type Destination =
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'screen' | 'pipe' }

/** The destination of an export, checked before the password prompt. */
function destinationOf({ context, flags, asking }: KeysCall, format: FormatName): Destination {
  const plain = PLAIN.includes(format)
  const isSafe = format === 'mnemonic' && flags['show'] === true
  if (plain && !isSafe && flags['unsafe'] !== true)
    throw invalidRequest(`${format} holds the key unencrypted`, '', {
      why: 'nothing protects it but the place where it lies',
      hint: 'choose another --format, show words with --show, or add --unsafe',
    })
  if (flags['show'] === true) {
    if (flags['out'] !== undefined)
      throw clashing('--show', '--out', 'each names a place for the key', '/out')
    requireTerminal(asking, 'a terminal', '--out <file> instead of --show')
    return { kind: 'screen' }
  }
  if (typeof flags['out'] === 'string') return { kind: 'file', file: flags['out'] }
  if (!context.out.stdout.isTTY) return { kind: 'pipe' }
  throw invalidRequest('nothing secret is printed on a terminal', '', {
    why: 'it would stay in the scrollback',
    hint: 'write it to a new file: --out <file>      or look at it on a screen apart: --show',
  })
}

async function exportText(
  stored: SealedKey,
  format: FormatName,
  asking: PasswordPrompt,
): Promise<Buffer> {
  const secret = await openStored(stored, passwordSource(asking))
  let privateKey: Buffer | undefined
  try {
    const { hd_path: hdPath, prefix } = stored.document
    privateKey = await privateKeyOf(secret, hdPath)
    const key = { secret, privateKey, hdPath, prefix }
    if (format === 'mnemonic') return Buffer.concat([wordsOf(secret.bytes), Buffer.from('\n')])
    if (format === 'hex') return Buffer.from(`${privateKey.toString('hex')}\n`)
    const password = await newPassword(asking, 'Password of the exported file:')
    try {
      return await sealExport(stored, key, format, password)
    } finally {
      wipe(password)
    }
  } finally {
    wipe(secret.bytes, privateKey)
  }
}

async function sealExport(
  { document }: SealedKey,
  key: KeyExport,
  format: FormatName,
  password: Buffer,
): Promise<Buffer> {
  if (format === 'armor') return Buffer.from(await writeCosmosArmor(key, password))
  if (format === 'cosmjs') return Buffer.from(await writeCosmjs(key, password))
  if (format === 'keystore') return Buffer.from(await writeKeystore(key, password))
  if (format === 'xchain') return Buffer.from(await writeXchain(key, password))
  return encodeKey(await sealKey(document, key.secret, password, document.kdf.n))
}

type ExportJob = {
  readonly name: string
  readonly format: FormatName
  readonly destination: Destination
}

async function deliver(
  { context, asking }: KeysCall,
  { name, format, destination }: ExportJob,
  text: Buffer,
): Promise<void> {
  const { out, surroundings } = context
  if (destination.kind === 'pipe') return out.result(text.toString('utf8'))
  if (destination.kind !== 'file') {
    const terminal = asking.terminal()
    await terminal?.apart(`\n${text.toString('utf8')}\n`, async () => {
      await terminal.line('  Enter when you have it: ')
    })
    return
  }
  const file = await writeSecret(destination.file, surroundings.cwd, text)
  const done = () =>
    sentence(`exported ${name} as ${format} to ${printable(file)} (0600)`, out.style)
  return printAnswer(context, { name, format, file }, { quiet: () => file, human: done })
}
