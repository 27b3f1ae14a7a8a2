import { SwapError } from '../engine/errors.js'

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'you have no permission to write there',
  EPERM: 'you have no permission to write there',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'your share of the disk is full',
  ENAMETOOLONG: 'its name is too long',
}

/** The error of a file, named by the user, that the system does not write; any other error as it is. */
export function unwritableFile(path: string, error: unknown): unknown {
  if (error instanceof SwapError || !(error instanceof Error) || !('code' in error)) return error
  const code = String(error.code)
  const reason = reasons[code]
  return new SwapError('INVALID_REQUEST', `${path} cannot be written`, {
    why: reason === undefined ? `the system answers ${code}` : `${reason} (${code})`,
    hint: {
      cli: 'name a file in a folder that exists and that you may write to',
      http: undefined,
    },
    members: { errors: [{ pointer: '', detail: 'the file cannot be written' }] },
  })
}
