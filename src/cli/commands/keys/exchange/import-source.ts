import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { errorCode, invalidRequest } from '../../../../engine/errors.js'
import { utf8Text } from '../../../../platform/bytes.js'
import { isOpenToOthers } from '../../../../platform/file-owner.js'
import { openStream, unreadableReason } from '../../../../platform/file-stream.js'
import { KeyfileInvalid } from '../../../../wallet/errors.js'
import { type ForeignKey, formatNames } from '../../../../wallet/formats/foreign.js'
import { recogniseKey } from '../../../../wallet/formats/recognise.js'
import { InvalidKeyDocument } from '../../../../wallet/keyfile/key-document.js'
import { secretBytes, wipe } from '../../../../wallet/secret.js'
import { FILE_BYTES } from '../../../../wallet/store/files.js'
import { requireTerminal } from '../../../accounts/passwords.js'
import type { Context } from '../../../command.js'
import { formatIn, type KeysCall } from '../run.js'

/** A key to import and where it was found. */
export type Source = { readonly key: ForeignKey; readonly path: string }

/**
 * Reads the key to import from a file, standard input, or the terminal without echo.
 *
 * @throws KeyfileInvalid
 */
export async function importSource(call: KeysCall, file: string | undefined): Promise<Source> {
  const format = formatIn(call.flags, ['auto', ...formatNames], {
    what: 'of keys',
    hint: 'leave --format out: it is found out',
  })
  const { bytes, path } = await bytesOf(call, file)
  try {
    return { key: recogniseKey(textOf(bytes), format), path }
  } catch (error) {
    const hint = 'say what it is: --format; see swap help keys import'
    throw error instanceof InvalidKeyDocument
      ? new KeyfileInvalid(path, error.message, hint)
      : error
  } finally {
    wipe(bytes)
  }
}

function textOf(bytes: Buffer): string {
  try {
    return utf8Text(bytes)
  } catch {
    throw new InvalidKeyDocument('it is not text')
  }
}

async function bytesOf(
  { context, flags, asking }: KeysCall,
  file: string | undefined,
): Promise<{ readonly bytes: Buffer; readonly path: string }> {
  if (file === '-') {
    if (flags['passwordFile'] === '-')
      throw invalidRequest('standard input cannot be both the key and its password', '', {
        why: 'both the argument and --password-file are -',
        hint: 'give the password by --password-fd, or the key as a file',
      })
    return { bytes: await readAll(context.surroundings.stdin), path: 'standard input' }
  }
  if (file !== undefined) return readFile(context, file)
  const terminal = requireTerminal(asking, 'what to import', 'a file, or - for standard input')
  const bytes = await terminal.secret('Mnemonic or private key (not echoed):')
  return { bytes, path: 'what was typed' }
}

async function readFile({ surroundings, out }: Context, file: string) {
  const path = resolve(surroundings.cwd, file)
  try {
    const found = await stat(path)
    if (found.isFile() && isOpenToOthers(found))
      out.note(`others than you can read ${path}: remove it when the key is imported`)
    return { bytes: await readAll(openStream(path)), path }
  } catch (error) {
    if (errorCode(error) === undefined || error instanceof KeyfileInvalid) throw error
    // The name is not repeated: it may be a mnemonic typed by mistake.
    const why = unreadableReason(errorCode(error))
    throw new KeyfileInvalid('to import', why, 'name a file that is there')
  }
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<Buffer> {
  const bytes = await secretBytes(FILE_BYTES, stream)
  if (bytes !== undefined) return bytes
  const tooLarge = `it is larger than ${FILE_BYTES} bytes`
  throw new KeyfileInvalid('to import', tooLarge, 'name the key file itself')
}
