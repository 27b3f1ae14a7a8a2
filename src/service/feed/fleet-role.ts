/**
 * Where a process of a fleet has its markets from: it reads the nodes and publishes; it takes what
 * another one published; or it reads the nodes for itself, and why.
 */
export type FleetRole =
  | { readonly is: 'leads' }
  | { readonly is: 'follows' }
  | { readonly is: 'alone'; readonly reason: string }
