import type { Result } from '../../api/call.ts';

export type Item = Result<'review.list'>['items'][number];

/** What an item is called: a person who was invited has not applied. */
export function kindOf({ kind, isInvited }: Item) {
  return kind === 'application' && isInvited ? 'invitation' : kind;
}

/** What the list shows first: the affiliate, if the title is that of a page or of a bounty. */
export function nameOf({ kind, title, affiliateName }: Item) {
  return kind === 'page' || kind === 'bounty_submission' ? affiliateName : title;
}
