// What `serve` prints when it is ready: where to open the console, and how to try the API.
import { styleText } from 'node:util';
import { findSetUpLink } from '../../../accounts/identity/set-up/link.ts';
import { findUserByEmail, type User } from '../../../accounts/identity/users/user.ts';
import { createVerification } from '../../../accounts/identity/verification/create.ts';
import type { Context } from '../../../context.ts';
import type { Running } from '../../../main.ts';
import { transact } from '../../../platform/db/transact.ts';
import { createRangeCheck } from '../../../platform/lib/network/ip-address.ts';
import { type Demo, demoOwner } from '../../demo/demo.ts';
import { findPortalUser, type PortalUser } from '../../demo/portal-user.ts';
import { printField, printLine } from '../print.ts';

type Welcome = { demo: Demo | null; isConsoleMissing: boolean };

/** Prints the addresses of the service, the console's first. Nothing is printed before all of it is known. */
export async function printWelcome({ url, service: { ctx } }: Running, { demo, isConsoleMissing }: Welcome): Promise<void> {
  const ending = process.stdout.isTTY ? '  Press Ctrl-C to stop.' : '';
  const signsIn = demo !== null && (await maySignIn(ctx));
  const owner = signsIn ? await findOwnerLink(ctx, url) : null;
  const portal = demo && (await findPortal(ctx, { url, programId: demo.programId, signsIn }));
  const setUp = await findSetUpLink(ctx, url);
  printLine();
  const headline = isConsoleMissing ? 'The API is ready, but the console could not be loaded.' : 'Tributary is ready.';
  printLine(`  ${styleText('bold', headline)}${dim(ending)}`);
  printLine();
  if (setUp) printSetUp(setUp);
  else printConsole(url, { demo, link: owner });
  if (portal) printPortal(url, portal);
  if (!ctx.mailer) printField('Mailbox', `in the console, until a mail server is configured ${dim('(SMTP_URL)')}`);
  printLine();
  printField('API', `${url}/v1`);
  printField('Docs', `${url}/docs`);
  printField('Reference', `${url}/docs/api`);
  printField('OpenAPI', `${url}/openapi.json`);
  if (demo) printDemo(url, demo);
  printLine();
}

const isLoopbackAddress = createRangeCheck(['127.0.0.0/8', '::1/128']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}

/** A link that signs in as the demo's owner; null where that user is disabled or removed. */
async function findOwnerLink(ctx: Context, url: string): Promise<string | null> {
  const owner = await findUserByEmail(ctx, demoOwner.email);
  return owner?.status === 'active' ? createLink(ctx, url, owner) : null;
}

type Portal = PortalUser & { link: string | null };

/** The demo's affiliate with a user, and a link that signs in as that user; null without such an affiliate. */
async function findPortal(ctx: Context, options: { url: string; programId: string; signsIn: boolean }): Promise<Portal | null> {
  const { url, programId, signsIn } = options;
  const affiliate = await findPortalUser(ctx, programId);
  if (!affiliate) return null;
  return { ...affiliate, link: signsIn ? await createLink(ctx, url, { ...affiliate, id: affiliate.userId }) : null };
}

function printConsole(url: string, { demo, link }: { demo: Demo | null; link: string | null }): void {
  if (link !== null) {
    printField('Console', underline(link));
    printField('', dim(`signs you in as ${demoOwner.name} (${demoOwner.role}); single use, expires in 1 hour`));
    return;
  }
  printField('Console', `${url}/console`);
  if (demo) printField('', dim(`sign-in link: bin/tributary user link ${demoOwner.email}`));
}

/** The only place where the link is shown: people who read the output of the server control the installation. */
function printSetUp(link: string): void {
  printField('Set up', underline(link));
  printField('', dim('creates the first user, who owns a new organization; works until then'));
}

function printPortal(url: string, { link, name, storefrontPath }: Portal): void {
  if (link === null) {
    printField('Portal', `${url}/portal`);
  } else {
    printField('Portal', underline(link));
    printField('', dim(`signs you in as ${name} (affiliate); use another browser or a private window`));
  }
  printField('Storefront', `${url}${storefrontPath}`);
}

/**
 * Whether links that sign in are printed: not where others can reach the service or its database, nor once a user has a
 * sign-in method.
 */
async function maySignIn(ctx: Context): Promise<boolean> {
  if (ctx.config.databaseUrl !== undefined || !isLoopback(ctx.config.host)) return false;
  return !(await hasSignInMethod(ctx));
}

async function createLink(ctx: Context, url: string, { id, email, emailKey }: Pick<User, 'id' | 'email' | 'emailKey'>): Promise<string> {
  const { token } = await transact(ctx, (tx) => createVerification(tx, { purpose: 'command', email, emailKey, userId: id }));
  return `${url}/enter/${token}`;
}

function underline(link: string): string {
  return styleText(['cyan', 'underline'], link, { stream: process.stdout });
}

/** Whether a user has a passkey or an authenticator app, or has signed in by email. */
async function hasSignInMethod({ db }: Pick<Context, 'db'>): Promise<boolean> {
  const [passkey, factor, session] = await Promise.all([
    db.selectFrom('passkeys').select('id').limit(1).executeTakeFirst(),
    db.selectFrom('secondFactors').select('userId').where('confirmedAt', 'is not', null).limit(1).executeTakeFirst(),
    db.selectFrom('sessions').select('id').where('method', '=', 'email').limit(1).executeTakeFirst(),
  ]);
  return [passkey, factor, session].some((found) => found !== undefined);
}

/** Prints the demo's key as shell variables, so that the README's commands work unchanged. */
function printDemo(url: string, demo: Demo): void {
  printField('Program', `${demo.programId}  ${dim(demo.name)}`);
  printField('API key', demo.apiKey);
  if (demo.referralCode) printField('Link', `${url}/r/${demo.referralCode}  ${dim('redirects to the demo website')}`);
  printLine();
  printLine(dim('  To try the API, paste this into another terminal:'));
  printLine();
  printLine(`  export API=${url}/v1`);
  printLine(`  export PROGRAM=${demo.programId}`);
  printLine(`  export KEY=${demo.apiKey}`);
  printLine('  curl "$API/programs/$PROGRAM/affiliates?limit=2" -H "Authorization: Bearer $KEY"');
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stdout });
}
