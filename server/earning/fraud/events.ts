// The events of fraud alerts.
import { defineEvent } from '../../messaging/events/define.ts';
import { FraudEventShape } from './fraud-event.ts';

const object = 'fraudEvent';
const data = FraudEventShape;

export const fraudFlagged = defineEvent({
  type: 'fraud.flagged',
  object,
  isCreation: true,
  data,
  summary: 'A fraud alert was opened and awaits a decision.',
});
export const fraudResolved = defineEvent({
  type: 'fraud.resolved',
  object,
  data,
  summary: 'A fraud alert was resolved as `legitimate` or `fraud`.',
  previous: { status: 'open' },
});
