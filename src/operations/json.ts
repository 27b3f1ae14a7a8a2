/**
 * The one form in which a document is written: compact JSON on one line, members in the order of the
 * contract. The service's body and the command line's `--json` are these bytes.
 */
export const stringify = (document: object): string => JSON.stringify(document)
