import * as Type from 'typebox'
import {
  closedObject,
  countOf,
  countOrNull,
  type DocumentOf,
  flagOf,
  objectsOf,
  textOf,
  textOrNull,
} from '../../../operations/document-schema.js'

const placeMembers = {
  origin: textOf('Layer that the value comes from.'),
  file: textOrNull('Path of the file.'),
  line: countOrNull('Line of the file.'),
  env: textOrNull('Name of the environment variable.'),
}

/** The answer of `swap config get`: a setting, and where its value comes from. */
export const ConfigValue = closedObject({
  key: textOf('Name of the setting.'),
  value: textOrNull('The value as it is written; null without one.'),
  ...placeMembers,
  overrides: objectsOf('Values that it overrides, nearest layer first.', {
    ...placeMembers,
    value: textOf('The overridden value.'),
  }),
  ignored: flagOf('Whether a project’s file may not set it.'),
})
export type ConfigValue = DocumentOf<typeof ConfigValue>

/** The answer of `swap config list`. */
export const ConfigAnswer = closedObject({
  values: Type.Array(ConfigValue, {
    description: 'Every setting, then the lines that are ignored.',
  }),
})
export type ConfigAnswer = DocumentOf<typeof ConfigAnswer>

/** The answer of `swap config path`. */
export const ConfigFiles = closedObject({
  files: objectsOf('Files that are read, the last one first to count.', {
    origin: textOf('Layer: user or project.'),
    path: textOf('Path of the file.'),
    exists: flagOf('Whether it is there.'),
  }),
})
export type ConfigFiles = DocumentOf<typeof ConfigFiles>

/** The answer of `swap config check`. */
export const ConfigCheck = closedObject({
  files: Type.Array(Type.String(), { description: 'Paths of the files that were read.' }),
  settings: countOf('Settings that a file or the environment sets.'),
  notes: Type.Array(Type.String(), { description: 'What may not be meant, in words.' }),
  ignored: objectsOf('Lines of a project’s file that are ignored.', {
    key: textOf('Name of the setting.'),
    value: textOf('The value as it is written.'),
    ...placeMembers,
  }),
})
export type ConfigCheck = DocumentOf<typeof ConfigCheck>

/** The answer of `swap config set` and `unset`. */
export const ConfigChange = closedObject({
  key: textOf('Name of the setting.'),
  was: textOrNull('Its value before; null without one.'),
  is: textOrNull('Its value in the file now; null where it was removed.'),
  file: textOf('Path of the file.'),
})
export type ConfigChange = DocumentOf<typeof ConfigChange>

/** The answer of `swap config edit`. */
export const ConfigEdited = closedObject({
  file: textOf('Path of the file.'),
  changed: flagOf('Whether its text is another one.'),
})
export type ConfigEdited = DocumentOf<typeof ConfigEdited>
