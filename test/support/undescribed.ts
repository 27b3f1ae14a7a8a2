/** A JSON Schema, as far as descriptions are concerned. */
export type SchemaNode = {
  readonly description?: string
  readonly properties?: Readonly<Record<string, SchemaNode>>
  readonly items?: SchemaNode
  readonly anyOf?: readonly SchemaNode[]
  readonly patternProperties?: object
  readonly type?: string
}

/** Of a value that may be `null` its other form has the description. */
const isDescribed = ({ description, anyOf = [] }: SchemaNode): boolean =>
  (description ?? '') !== '' || anyOf.some(isDescribed)

/** Members without a description at any depth, and objects without members, by their place. */
export function undescribed(node: SchemaNode, place: string): readonly string[] {
  const inner = [
    ...(node.items ? undescribed(node.items, `${place}[]`) : []),
    ...(node.anyOf ?? []).flatMap((schema) => undescribed(schema, place)),
  ]
  const members = Object.entries(node.properties ?? {}).flatMap(([name, member]) => [
    ...(isDescribed(member) ? [] : [`${place}.${name}`]),
    ...undescribed(member, `${place}.${name}`),
  ])
  const isOpen =
    node.type === 'object' && node.properties === undefined && node.patternProperties === undefined
  return [...inner, ...members, ...(isOpen ? [place] : [])]
}
