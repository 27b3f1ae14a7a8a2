import type { TSchema } from 'typebox'

/** Context of one call. */
export type Call = {
  /** Aborted when the client cancels the call or disconnects. */
  readonly signal: AbortSignal
  /** Charges an expensive call to the client, if rates apply. @throws SwapError RATE_LIMITED */
  charge(): void
  /** Reports a step of a long call, if the client requested progress. */
  progress(message: string): void
  /** Records the answering market's height, also for errors of the call. */
  answersAt(height: number): void
}

/** Side effects of a tool, as protocol annotations. */
type Effects = {
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

/** A tool. Name, texts and schemas are constants of this program, never data of a chain. */
export type Tool = {
  readonly name: string
  readonly description: string
  readonly effects: Effects
  readonly request: TSchema
  readonly answer: TSchema
  /**
   * Answers a call with the document's text, as `--json` prints it.
   *
   * @throws SwapError
   */
  call(request: unknown, call: Call): Promise<string>
  /** The document in one or two short lines. */
  summary(document: never): string
}

/** A document that clients may read by URI. */
export type Resource = {
  readonly uri: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** @throws SwapError */
  read(call: Call): Promise<string>
}

/** Documents whose URIs contain a variable part, in braces. */
export type ResourceTemplate = {
  readonly uriTemplate: string
  readonly name: string
  readonly description: string
  readonly mimeType: string
  /** The text; `undefined` for an unknown URI. @throws SwapError */
  read(uri: string, call: Call): Promise<string | undefined>
}

/** Maximum characters of one value from a chain or a node. */
const MOST = 200

/**
 * Cleans foreign text for the short text of an answer: one line, without control characters, direction marks
 * and other invisible characters, at most `most` characters. It is data, never an instruction.
 */
export function dataText(text: string, most = MOST): string {
  // The pattern below takes a millisecond to compile.
  if (text.length <= most && /^[!-~]*$/.test(text)) return text
  // Truncated before the search, so that the work does not grow with the text.
  const clean = text
    .slice(0, most * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim()
  const characters = [...clean]
  return characters.length <= most ? clean : `${characters.slice(0, most - 1).join('')}…`
}
