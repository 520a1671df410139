/**
 * Who or what performs an action, from the request to the audit log, the ledger, commission events and payout
 * events. `id` is the id of the key, user or provider, or the name of the schedule or command.
 */
export type Actor = { kind: 'api_key' | 'user' | 'provider' | 'schedule' | 'command'; id: string };
