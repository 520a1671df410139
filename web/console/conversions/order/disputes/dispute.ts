// The types of disputes that the card and its sheet share.
import type { Result } from '../../../../api/call.ts';

export type Dispute = Result<'disputes.list'>['disputes'][number];

/** A dispute, or null for a new one, and the status to report. */
export type DisputeReport = { dispute: Dispute | null; status: Dispute['status'] };
