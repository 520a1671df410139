import { jobName } from '../../../platform/queue/job.ts';

/** Sends the email of an invitation (emails/member-invitation.ts). */
export const notifyMemberInvitationJob = jobName<{ programId: string; invitationId: string; changeId: string }>('emails.memberInvitation');
