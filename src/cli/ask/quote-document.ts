import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { SwapError } from '../../errors.js'
import type { Surroundings } from '../command.js'
import { stateFolder } from '../quote-store.js'

/** Larger is no quote. */
const LARGEST = 8 << 20

/** Whether an argument names a document: a quote that was kept, or standard input. */
export const isDocument = (word: string | undefined): word is string =>
  word === '-' || /^q_[0-9a-f]*$/.test(word ?? '')

/** The text of a quote: from standard input for `-`, else of the one that was kept under this id. */
export async function quoteText(word: string, surroundings: Surroundings): Promise<string> {
  const text = word === '-' ? await readAll(surroundings.stdin) : await kept(word, surroundings)
  if (text.trim() !== '') return text
  throw new SwapError('INVALID_REQUEST', 'there is no quote on standard input', {
    why: 'it is empty',
    hint: 'e.g. swap route 1 btc rune --json | swap simulate -',
    members: { errors: [{ pointer: '', detail: 'the input is empty' }] },
  })
}

async function readAll(stdin: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stdin) {
    size += chunk.length
    if (size > LARGEST)
      throw new SwapError('INVALID_REQUEST', 'what stands on standard input is no quote', {
        why: `it is longer than ${LARGEST} bytes`,
        hint: 'give what swap route --json prints',
        members: { errors: [{ pointer: '', detail: 'the input is too long' }] },
      })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

async function kept(id: string, surroundings: Surroundings): Promise<string> {
  const state = stateFolder(surroundings)
  try {
    return await readFile(join(state ?? '', 'quotes', `${id}.json`), 'utf8')
  } catch {
    throw new SwapError('NOT_FOUND', `no quote ${id} is kept`, {
      why: 'the last hundred are kept, in the state folder',
      hint: 'quote again: swap route <amount> <in> <out>',
      members: { id },
    })
  }
}
