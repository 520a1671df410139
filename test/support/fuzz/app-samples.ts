// Valid requests for the endpoints of the console.
import type { TestMember } from '../harness.ts';

type Sample = [params: Record<string, string>, body: Record<string, unknown> | undefined];

export function appSamples({ owner }: { owner: TestMember }): Record<string, Sample> {
  return {
    'appMe.get': [{}, undefined],
    'appMe.update': [{}, { locale: 'de' }],
    'sessions.list': [{}, undefined],
    'sessions.end': [{ id: owner.sessionId }, undefined],
    'sessions.endOthers': [{}, undefined],
    signOut: [{}, undefined],
    'overview.activity': [{}, undefined],
    'affiliateTable.tags': [{}, undefined],
  };
}
