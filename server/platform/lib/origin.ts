/** Where a request came from. `network` is an IPv4 /24 or IPv6 /48, empty if the address is unknown; the address itself is never stored. */
export type Origin = { network: string; requestId: string | null };
