/** A page of help that is of no single command. */
export type Topic = {
  readonly name: string
  readonly summary: string
  /** Paragraphs, and tables of two columns. */
  readonly parts: readonly (string | readonly (readonly [string, string])[])[]
}
