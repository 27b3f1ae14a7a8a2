/**
 * The one form in which a document is written: two-space indent, members in the order of the
 * contract. The service's body and the command line's `--json` are these bytes.
 */
export const stringify = (document: object): string => JSON.stringify(document, null, 2)

/** A document on one line, for streams of them. */
export const stringifyLine = (document: object): string => JSON.stringify(document)
