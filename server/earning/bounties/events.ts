// The events of bounties: content that was submitted and decided, and bonuses that were earned.
import { z } from 'zod';
import { defineEvent } from '../../messaging/events/define.ts';
import { centsOut, currencyOut, uuidOut } from '../../platform/http/declaration/fields.ts';
import { bountyExample } from './bounty.ts';
import { SubmissionShape, submissionExample } from './submissions/submission.ts';

const object = 'bountySubmission';
const data = SubmissionShape;

export const submissionCreated = defineEvent({
  type: 'bountySubmission.created',
  object,
  isCreation: true,
  data,
  summary: 'Content was submitted for a bounty and awaits a decision.',
});
export const submissionApproved = defineEvent({
  type: 'bountySubmission.approved',
  object,
  data,
  summary: 'Content for a bounty was approved; its bonus is earned.',
  previous: { status: 'open' },
});
export const submissionRejected = defineEvent({
  type: 'bountySubmission.rejected',
  object,
  data,
  summary: 'Content for a bounty was rejected. The affiliate can submit again.',
  previous: { status: 'open' },
});

const BountyAward = z
  .object({
    bountyId: uuidOut,
    affiliateId: uuidOut,
    commissionId: uuidOut.describe('The commission that pays the bonus. Its events say what becomes of it.'),
    rewardCents: centsOut.describe('The bonus.'),
    currency: currencyOut,
  })
  .meta({
    id: 'BountyAward',
    example: {
      bountyId: bountyExample.id,
      affiliateId: submissionExample.affiliateId,
      commissionId: '01980a60-3c4d-7e5f-8a6b-7c8d9e0f1a2b',
      rewardCents: bountyExample.rewardCents,
      currency: bountyExample.currency,
    },
  });

export const bountyEarned = defineEvent({
  type: 'bounty.earned',
  object: 'bounty',
  data: BountyAward,
  summary: 'An affiliate earned the bonus of a bounty. Each affiliate earns it once.',
});
