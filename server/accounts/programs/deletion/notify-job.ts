import { jobName } from '../../../platform/queue/job.ts';

/** Notifies the owners of a program that it will be deleted (emails/kinds/program-deletion.ts). */
export const notifyDeletionJob = jobName<{ programId: string; changeId: string; actor: { kind: string; id: string } }>(
  'emails.programDeletion',
);
