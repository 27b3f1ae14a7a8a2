import * as Type from 'typebox'
import * as Doc from '../document-schema.js'

const Fact = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()])
type Fact = Type.Static<typeof Fact>

/** The result of one check. */
const Check = Doc.closedObject({
  name: Doc.text('What was checked.'),
  status: Doc.word<'ok' | 'note' | 'fail' | 'skip'>('ok, note, fail or skip'),
  message: Doc.text('One sentence.'),
  why: Doc.textOrNull('The cause.'),
  do: Doc.textOrNull('The next step.'),
  data: Type.Unsafe<Readonly<Record<string, Fact>>>({
    type: 'object',
    patternProperties: { '^.*$': Fact },
    description: 'The facts behind the sentence, for scripts.',
  }),
})
export type Check = Doc.DocumentOf<typeof Check>

/** The answer of `swap doctor --json`. */
export const DoctorAnswer = Doc.closedObject({
  ...Doc.networkMembers,
  checks: Doc.listOf('In the order in which they were made.', Check),
  failed: Doc.count('Number of failed checks.'),
  notes: Doc.count('Number of checks that end with a note.'),
})
export type DoctorAnswer = Doc.DocumentOf<typeof DoctorAnswer>
