import type { TSchema } from 'typebox'

/** What the server knows about one call. */
export type Call = {
  /** Aborted when the client cancels the call or goes away. */
  readonly signal: AbortSignal
  /** Charges an expensive call to the client, where one has a rate. @throws SwapError RATE_LIMITED */
  charge(): void
  /** Reports a step of a long call, where the client asks for progress. */
  progress(message: string): void
  /** Notes the height of the market that answers, which an error of the call has as well. */
  answersAt(height: number): void
}

/** What a tool does beside answering, as the protocol's annotations say it. */
export type Effects = {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** Annotations of a tool that only reads a market. */
export const READING: Effects = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}

/** One tool. Its name, texts and schemas are of this program alone: nothing that a chain says gets into them. */
export type Tool = {
  readonly name: string
  readonly description: string
  readonly effects: Effects
  readonly request: TSchema
  readonly answer: TSchema
  /**
   * Answers a call with the text of the document, which is what `--json` prints.
   *
   * @throws SwapError
   */
  call(request: unknown, call: Call): Promise<string>
  /** The document in one or two short lines. */
  summary(document: never): string
}

/** A document that a client may read by its address. */
export type Resource = {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** @throws SwapError */
  read(call: Call): Promise<string>
}

/** Documents whose addresses differ in one part, which is in braces. */
export type ResourceTemplate = {
  readonly uriTemplate: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** The text; `undefined` where the address is not one of its own. @throws SwapError */
  read(uri: string, call: Call): Promise<string | undefined>
}

/** Longest text of one value that comes from a chain or a node, in characters. */
const MOST = 200

/**
 * A text of foreign origin for the short text of an answer: one line, without control characters, direction marks and
 * other invisible characters, at most 200 characters. It is data for the reader, never an instruction.
 */
export function dataText(text: string, most = MOST): string {
  // The pattern below takes a millisecond to compile.
  if (text.length <= most && /^[!-~]*$/.test(text)) return text
  // Cut before the search too, so that the work does not grow with the text.
  const clean = text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  const characters = [...clean]
  return characters.length <= most ? clean : `${characters.slice(0, most - 1).join('')}…`
}
