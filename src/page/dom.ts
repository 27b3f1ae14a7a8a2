type Child = Node | string
type Attributes = Readonly<Record<string, string | number | boolean>>

/** The element of an id, which must exist. */
export function byId<E extends Element = HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no element ${id}`)
  return found as Element as E
}

/** An element with attributes; `true` is an attribute without a value, `false` none. */
export const html = <K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes,
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => fill(document.createElement(name), attributes, children)

/** The same for SVG. */
export const svg = <K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes,
  ...children: readonly Child[]
): SVGElementTagNameMap[K] =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children)

function fill<E extends Element>(
  element: E,
  attributes: Attributes,
  children: readonly Child[],
): E {
  for (const [name, value] of Object.entries(attributes))
    if (value !== false) element.setAttribute(name, value === true ? '' : `${value}`)
  element.append(...children)
  return element
}

/** An entry of a list: a path with a figure beside it, and a remark below. */
export const listEntry = (
  path: string,
  figure: string,
  remark: string,
  attributes: Attributes = {},
): HTMLLIElement =>
  html(
    'li',
    attributes,
    html('span', { class: 'path' }, path),
    html('b', {}, figure),
    html('small', {}, remark),
  )

/** Sets a text, unless it is unchanged. */
export function write(element: Element, text: string): void {
  if (element.textContent !== text) element.textContent = text
}

export type Term = readonly [term: string, text: string, remark?: string]

/** Shows terms in a list of definitions. */
export function writeTerms(list: Element, terms: readonly Term[]): void {
  list.replaceChildren(
    ...terms.map(([term, text, remark]) =>
      html(
        'div',
        {},
        html('dt', {}, term),
        html('dd', {}, text, ...(remark === undefined ? [] : [html('small', {}, remark)])),
      ),
    ),
  )
}
