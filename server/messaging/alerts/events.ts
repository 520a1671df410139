import { defineEvent } from '../events/define.ts';
import { AlertShape } from './alert.ts';

export const alertOpened = defineEvent({
  type: 'alert.opened',
  object: 'alert',
  isCreation: true,
  data: AlertShape,
  summary: 'Something stopped working: `kind` and `reason` say what.',
});
export const alertResolved = defineEvent({
  type: 'alert.resolved',
  object: 'alert',
  data: AlertShape,
  summary: 'The condition of an alert has ended.',
  previous: { status: 'open', resolvedAt: null },
});
