import type { Result } from '../../../api/call.ts';

export type Channel = Result<'notificationChannels.list'>['notificationChannels'][number];
