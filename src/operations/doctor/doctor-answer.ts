import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  type DocumentOf,
  networkMembers,
  textOf,
  textOrNull,
  wordOf,
} from '../document-schema.js'

const Fact = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
type Fact = Type.Static<typeof Fact>

/** The result of one check. */
const Check = closedObject({
  name: textOf('What was checked.'),
  status: wordOf<'ok' | 'note' | 'fail' | 'skip'>('ok, note, fail or skip'),
  message: textOf('One sentence.'),
  why: textOrNull('The cause.'),
  do: textOrNull('The next step.'),
  data: Type.Unsafe<Readonly<Record<string, Fact>>>({
    type: 'object',
    patternProperties: { '^.*$': Fact },
    description: 'The facts behind the sentence, for scripts.',
  }),
})
export type Check = DocumentOf<typeof Check>

/** The answer of `swap doctor --json`. */
export const DoctorAnswer = closedObject({
  ...networkMembers,
  checks: Type.Array(Check, { description: 'In the order in which they were made.' }),
  failed: countOf('Number of failed checks.'),
  notes: countOf('Number of checks that end with a note.'),
})
export type DoctorAnswer = DocumentOf<typeof DoctorAnswer>
