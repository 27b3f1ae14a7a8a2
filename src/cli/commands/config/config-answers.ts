import * as Type from 'typebox'
import * as Doc from '../../../operations/document-schema.js'

const placeMembers = {
  origin: Doc.text('Layer that the value comes from.'),
  file: Doc.textOrNull('Path of the file.'),
  line: Doc.countOrNull('Line of the file.'),
  env: Doc.textOrNull('Name of the environment variable.'),
}

/** The answer of `swap config get`: a setting, and where its value comes from. */
export const ConfigValue = Doc.closedObject({
  key: Doc.text('Name of the setting.'),
  value: Doc.textOrNull('The value as it is written; null without one.'),
  ...placeMembers,
  overrides: Doc.objects('Values that it overrides, nearest layer first.', {
    ...placeMembers,
    value: Doc.text('The overridden value.'),
  }),
  ignored: Doc.flag('Whether a project’s file may not set it.'),
})
export type ConfigValue = Doc.DocumentOf<typeof ConfigValue>

/** The answer of `swap config list`. */
export const ConfigAnswer = Doc.closedObject({
  values: Doc.listOf('Every setting, then the lines that are ignored.', ConfigValue),
})
export type ConfigAnswer = Doc.DocumentOf<typeof ConfigAnswer>

/** The answer of `swap config path`. */
export const ConfigFiles = Doc.closedObject({
  files: Doc.objects('Files that are read, the last one first to count.', {
    origin: Doc.text('Layer: user or project.'),
    path: Doc.text('Path of the file.'),
    exists: Doc.flag('Whether it is there.'),
  }),
})
export type ConfigFiles = Doc.DocumentOf<typeof ConfigFiles>

export const ConfigCheck = Doc.closedObject({
  files: Doc.listOf('Paths of the files that were read.', Type.String()),
  settings: Doc.count('Settings that a file or the environment sets.'),
  notes: Doc.listOf('What may not be meant, in words.', Type.String()),
  ignored: Doc.objects('Lines of a project’s file that are ignored.', {
    key: Doc.text('Name of the setting.'),
    value: Doc.text('The value as it is written.'),
    ...placeMembers,
  }),
})
export type ConfigCheck = Doc.DocumentOf<typeof ConfigCheck>

/** The answer of `swap config set` and `unset`. */
export const ConfigChange = Doc.closedObject({
  key: Doc.text('Name of the setting.'),
  was: Doc.textOrNull('Its value before; null without one.'),
  is: Doc.textOrNull('Its value in the file now; null where it was removed.'),
  file: Doc.text('Path of the file.'),
})
export type ConfigChange = Doc.DocumentOf<typeof ConfigChange>

export const ConfigEdited = Doc.closedObject({
  file: Doc.text('Path of the file.'),
  changed: Doc.flag('Whether its text is another one.'),
})
export type ConfigEdited = Doc.DocumentOf<typeof ConfigEdited>
