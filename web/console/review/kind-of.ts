import type { Item } from './use-queue.ts';

/** What an item is called: a person who was invited has not applied. */
export function kindOf({ kind, isInvited }: Item) {
  return kind === 'application' && isInvited ? 'invitation' : kind;
}
