import { type Command as Commander, Option } from 'commander'
import type { SwapError } from '../../engine/errors.js'
import type { FormerFlag } from '../command.js'
import { invalidRequest } from '../invalid-request.js'

/** Declares a flag to commander; a value may be any text but an empty one, such as that of an unset variable. */
export function addFlag(program: Commander, { flags, many }: FormerFlag): void {
  const option = new Option(flags)
  if (option.required)
    option.argParser<string | readonly string[]>((text, before = []) => {
      if (text.trim() === '') throw empty(option.long ?? flags)
      return many ? [...before, text] : text
    })
  program.addOption(option)
}

const empty = (flag: string): SwapError =>
  invalidRequest(`the value of ${flag} is empty`, `/${flag.slice(2).replaceAll('-', '_')}`, {
    why: 'a variable of the shell without a value has this effect',
    hint: `write a value, or leave ${flag} out`,
    detail: 'is empty',
  })
