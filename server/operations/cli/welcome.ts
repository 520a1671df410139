// What `serve` prints when it is ready: where to open the console, and how to try the API.
import { styleText } from 'node:util';
import { findUserByEmail, type User } from '../../accounts/identity/users/user.ts';
import { createVerification } from '../../accounts/identity/verification/create.ts';
import type { Context } from '../../context.ts';
import type { Running } from '../../main.ts';
import { transact } from '../../platform/db/transact.ts';
import { createRangeCheck } from '../../platform/lib/network/ip-address.ts';
import { type Demo, demoOwner } from '../demo/demo.ts';
import { findPortalUser } from '../demo/portal-user.ts';
import { printField, printLine } from './print.ts';

/** Prints the addresses of the service, the first one being the console's. */
export async function printWelcome({ url, service: { ctx } }: Running, demo: Demo | null): Promise<void> {
  const ending = process.stdout.isTTY ? '  Press Ctrl-C to stop.' : '';
  printLine();
  printLine(`  ${styleText('bold', 'Tributary is ready.')}${dim(ending)}`);
  printLine();
  const signsIn = demo !== null && (await maySignIn(ctx));
  await printConsole(ctx, { url, demo, signsIn });
  await printPortal(ctx, { url, demo, signsIn });
  if (!ctx.mailer) printField('Mailbox', `in the console, until a mail server is configured ${dim('(SMTP_URL)')}`);
  printLine();
  printField('API', `${url}/v1`);
  printField('Reference', `${url}/docs/api`);
  printField('OpenAPI', `${url}/openapi.json`);
  if (demo) printDemo(url, demo);
  else printFirstSteps();
  printLine();
}

const isLoopbackAddress = createRangeCheck(['127.0.0.0/8', '::1/128']);

function isLoopback(host: string): boolean {
  return host === 'localhost' || isLoopbackAddress(host);
}

type Addresses = { url: string; demo: Demo | null; signsIn: boolean };

async function printConsole(ctx: Context, { url, demo, signsIn }: Addresses): Promise<void> {
  const owner = signsIn ? await findUserByEmail(ctx, demoOwner.email) : null;
  if (owner?.status === 'active') {
    printField('Console', underline(await createLink(ctx, url, owner)));
    printField('', dim(`signs you in as ${demoOwner.name} (${demoOwner.role}); single use, expires in 1 hour`));
    return;
  }
  printField('Console', `${url}/console`);
  if (demo) printField('', dim(`sign-in link: bin/tributary user link ${demoOwner.email}`));
}

async function printPortal(ctx: Context, { url, demo, signsIn }: Addresses): Promise<void> {
  const affiliate = demo && (await findPortalUser(ctx, demo.programId));
  if (!affiliate) return;
  if (signsIn) {
    printField('Portal', underline(await createLink(ctx, url, { ...affiliate, id: affiliate.userId })));
    printField('', dim(`signs you in as ${affiliate.name} (affiliate); use another browser or a private window`));
  } else {
    printField('Portal', `${url}/portal`);
  }
  printField('Storefront', `${url}${affiliate.storefrontPath}`);
}

/**
 * Whether links that sign in are printed: not where others can reach the service or its database, nor once a user has a
 * sign-in method of their own.
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

function printFirstSteps(): void {
  printLine();
  printLine(dim('  To begin, create a program and its owner, then print a sign-in link:'));
  printLine();
  printLine('  bin/tributary program create --name "Your brand"');
  printLine('  bin/tributary user create --email you@example.com --name "Your name" --role owner --program PROGRAM-ID');
  printLine('  bin/tributary user link you@example.com');
}

function dim(text: string): string {
  return styleText('dim', text, { stream: process.stdout });
}
