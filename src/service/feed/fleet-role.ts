/**
 * Role of a process in a fleet: it reads the nodes and publishes markets, follows what another
 * process publishes, or reads the nodes for itself, with the reason.
 */
export type FleetRole =
  | { readonly is: 'leads' }
  | { readonly is: 'follows' }
  | { readonly is: 'alone'; readonly reason: string }
