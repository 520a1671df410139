// TABLE OF CONTENTS of the emails whose text programs can edit, named as their samples are. Emails about the security of an
// account, and emails to members, are not among them.

import { applicationReceivedText } from '../kinds/affiliates/application-received.ts';
import { approvalText } from '../kinds/affiliates/approval.ts';
import { rejectionText, suspensionText } from '../kinds/affiliates/decision.ts';
import { invitationText } from '../kinds/affiliates/invitation.ts';
import { firstSaleText } from '../kinds/earnings/first-sale.ts';
import { statementText } from '../kinds/earnings/statement.ts';
import { payoutFailedText } from '../kinds/payouts/failed.ts';
import { payoutPaidText } from '../kinds/payouts/paid.ts';
import type { Editable } from './text.ts';

export const editableEmails = {
  application_received: applicationReceivedText,
  invitation: invitationText,
  approval: approvalText,
  rejection: rejectionText,
  suspension: suspensionText,
  first_sale: firstSaleText,
  payout_paid: payoutPaidText,
  payout_failed: payoutFailedText,
  statement: statementText,
} as const satisfies Record<string, Editable>;

export type EditableEmail = keyof typeof editableEmails;
export const editableNames = Object.keys(editableEmails) as [EditableEmail, ...EditableEmail[]];
