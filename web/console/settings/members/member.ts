import type { Result } from '../../../api/call.ts';

export type Member = Result<'members.list'>['members'][number];

/** The role in this program, or the one in all programs of its organization. */
export type Scope = 'program' | 'organization';
