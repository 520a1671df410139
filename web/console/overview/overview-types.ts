import type { Result } from '../../api/call.ts';

/** What the API returns for the overview. */
export type Overview = Result<'overview.get'>;
export type AttentionItem = Overview['attention'][number];
export type ActivityItem = Result<'overview.activity'>['items'][number];
