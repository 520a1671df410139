import { jobName } from '../../../platform/queue/job.ts';

/** Sends the emails about a request for access (emails/access-request.ts): to the owners, and to the member once it is decided. */
export const notifyAccessRequestJob = jobName<{ programId: string; requestId: string; changeId: string }>('emails.accessRequest');
