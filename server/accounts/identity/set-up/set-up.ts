// Creates the first user of an installation with the organization that they own, and signs them in. Knowing the link proves
// control of the server, like a sign-in link from the command line.
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { createOrganization } from '../../programs/create.ts';
import { addOrganizationMember } from '../members/add-member.ts';
import { startSession } from '../sessions/session.ts';
import { countRequest } from '../sign-in/limits.ts';
import { type Browser, endReplacedSession } from '../sign-in/start.ts';
import { findOrCreateUser } from '../users/user.ts';
import { isSetUpToken } from './link.ts';

type FirstUser = { token: string; email: string; organizationName: string; browser: Browser };

export type SetUp = { kind: 'done'; setCookie: string } | { kind: 'unknown' | 'used' };

/** Sets up an installation. Of several concurrent attempts, one succeeds. */
export async function setUpInstallation(ctx: Context, { token, email, organizationName, browser }: FirstUser): Promise<SetUp> {
  await countRequest(ctx, browser.ip, 'attempts');
  if (!isSetUpToken(ctx, token)) return { kind: 'unknown' };
  return transact(ctx, async (tx): Promise<SetUp> => {
    const { user, isFirst } = await findOrCreateUser(tx, { email, name: '', locale: browser.locale });
    if (!isFirst) throw new AlreadySetUp();
    const organizationId = await createOrganization(tx, organizationName);
    await addOrganizationMember(tx, { organizationId, userId: user.id, role: 'owner', actor: { kind: 'user', id: user.id } });
    await endReplacedSession(tx, browser);
    const device = { ip: browser.ip, userAgent: browser.userAgent };
    const session = await startSession(tx, { userId: user.id, method: 'link', secondFactor: null, isFromCommand: true, device });
    return { kind: 'done', setCookie: session.setCookie };
  }).catch((error: unknown) => {
    if (error instanceof AlreadySetUp) return { kind: 'used' };
    throw error;
  });
}

/** Thrown so that the transaction that created a second user is rolled back. */
class AlreadySetUp extends Error {}
