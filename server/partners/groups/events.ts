import { defineEvent } from '../../messaging/events/define.ts';
import { GroupShape } from './group.ts';

export const groupChanged = defineEvent({
  type: 'group.changed',
  object: 'group',
  data: GroupShape,
  summary: 'A group was created, changed or archived. An affiliate who moves to another group is `affiliate.updated`.',
  previous: { name: 'Silver' },
});
