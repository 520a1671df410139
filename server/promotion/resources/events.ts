// The events of resources.
import { defineEvent } from '../../messaging/events/define.ts';
import { ResourceShape } from './resource.ts';

const object = 'resource';
const data = ResourceShape;

export const resourceCreated = defineEvent({
  type: 'resource.created',
  object,
  isCreation: true,
  data,
  summary: 'A resource was added to the library.',
});
export const resourceUpdated = defineEvent({
  type: 'resource.updated',
  object,
  data,
  summary: 'A resource was changed. With `status: "archived"`, affiliates no longer see it.',
  previous: { title: 'Caption' },
});
