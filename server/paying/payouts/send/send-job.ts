import { jobName } from '../../../platform/queue/job.ts';

/** Sends the queued payouts of a program. */
export const sendPayoutsJob = jobName<{ programId: string }>('payouts.send');
