/** The code of an error: of the system, such as `ENOENT`, or of this program. */
export const errorCode = (error: unknown): string | undefined =>
  error instanceof Error && 'code' in error && error.code !== undefined
    ? String(error.code)
    : undefined
