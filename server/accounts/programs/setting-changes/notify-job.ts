import { jobName } from '../../../platform/queue/job.ts';

/** Emails the program's contact about a requested change of a safety setting. */
export const notifySettingChangeJob = jobName<{ programId: string; changeId: string }>('emails.settingChange');
