// Creates, lists, disables and enables users, and prints sign-in links.
import { type Command, Option } from 'commander';
import { addMember, addOrganizationMember } from '../../../accounts/identity/members/add-member.ts';
import { listMemberships } from '../../../accounts/identity/members/list-programs.ts';
import { type Role, roles } from '../../../accounts/identity/roles.ts';
import { setUserStatus } from '../../../accounts/identity/users/set-status.ts';
import { findOrCreateUser, findUserByEmail, type User } from '../../../accounts/identity/users/user.ts';
import { createOrganization } from '../../../accounts/programs/create.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context, Tx } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { emailField, nameField } from '../../../platform/http/declaration/person-fields.ts';
import { parseField, parseUuid } from '../arguments.ts';
import { CommandError, UsageError } from '../command-error.ts';
import { formatTime, printField, printJson, printLine, printTable } from '../print.ts';
import { commandActor, withService } from '../run.ts';
import { printSignInLink } from './user-link.ts';

type Json = { json?: boolean };
type CreateOptions = Json & { email: string; name: string; role: Role; program?: string; organization?: string; newOrganization?: string };
type Grant = { role: Role; program: string | undefined; organization: string | undefined; newOrganization: string | undefined };

export function userCommands(cli: Command): void {
  const user = cli.command('user');
  user
    .command('create')
    .description('Create a user with a role; an existing user gets the role in addition')
    .requiredOption('--email <address>', 'Email address, which identifies the user (required)')
    .requiredOption('--name <name>', 'Name, shown to other members (required)')
    .addOption(new Option('--role <role>', 'What the user may do (required)').choices(roles).makeOptionMandatory())
    .option('--program <id>', 'Program in which the role applies')
    .option('--organization <id>', 'Organization in whose programs the role applies')
    .option('--new-organization <name>', 'Create an organization in which the role applies; programs are then created in the console')
    .option('--json', 'Print {"userId"}')
    .action(createUser);
  user
    .command('link')
    .description('Print a link that signs in a user, an invited affiliate or member, or an applicant: valid once')
    .argument('<email>', 'Email address of the user')
    .option('--json', 'Print {"url"}')
    .action(printSignInLink);
  user.command('list').description('List users with their programs and roles').option('--json', 'Print JSON').action(listUsers);
  for (const [name, status, description] of [
    ['disable', 'disabled', 'End the sessions of a user immediately and prevent signing in'],
    ['enable', 'active', 'Let a disabled user sign in again'],
  ] as const) {
    user
      .command(name)
      .description(description)
      .argument('<email>', 'Email address of the user')
      .option('--json', 'Print {"userId", "status"}')
      .action((email: string, { json }: Json) => changeStatus(email, status, json));
  }
}

async function createUser({ email, name, role, program, organization, newOrganization, json }: CreateOptions): Promise<void> {
  const places = [program, organization, newOrganization].filter((place) => place !== undefined);
  if (places.length !== 1) throw new UsageError('Pass one of --program, --organization and --new-organization.');
  const fresh = { email: parseField(emailField, email, '--email'), name: parseField(nameField, name, '--name') };
  const grant: Grant = {
    role,
    program: program === undefined ? undefined : parseUuid(program, '--program'),
    organization: organization === undefined ? undefined : parseUuid(organization, '--organization'),
    newOrganization: newOrganization === undefined ? undefined : parseField(nameField, newOrganization, '--new-organization'),
  };
  await withService('user create', async ({ ctx }) => {
    const { user, isNew, isChanged } = await transact(ctx, async (tx) => {
      const found = await findOrCreateUser(tx, fresh);
      return { ...found, isChanged: await giveRole(tx, found.user, grant) };
    });
    if (json) return printJson({ userId: user.id });
    printField('User', user.id);
    const existing = isChanged ? `now has the role ${role}` : `already has the role ${role}: nothing changed`;
    printLine(
      isNew
        ? `  Print a sign-in link with \`user link ${user.email}\`.`
        : `  ${user.email} already exists as ${user.name} and ${existing}.`,
    );
  });
}

async function giveRole(tx: Tx, { id: userId }: User, { role, program, organization, newOrganization }: Grant): Promise<boolean> {
  const actor = commandActor();
  const organizationId = newOrganization === undefined ? organization : await createOrganization(tx, newOrganization);
  if (organizationId !== undefined) return addOrganizationMember(tx, { organizationId, userId, role, actor });
  const { id: programId } = await getProgram(tx, program ?? '');
  return addMember(tx, { programId, userId, role, actor });
}

async function getUser(ctx: Pick<Context, 'db'>, email: string): Promise<User> {
  const user = await findUserByEmail(ctx, email);
  if (!user) throw new CommandError(`No user has the email address ${email}.`);
  return user;
}

async function listUsers({ json }: Json): Promise<void> {
  await withService('user list', async ({ ctx }) => {
    const users = await ctx.db
      .selectFrom('users')
      .select(['id', 'email', 'name', 'locale', 'status', 'lastSignInAt', 'createdAt'])
      .orderBy('createdAt')
      .orderBy('id')
      .execute();
    const rows = await Promise.all(
      users.map(async (user) => {
        const memberships = await listMemberships(ctx, user.id);
        return { ...user, programs: memberships.map(({ id, name, role }) => ({ id, name, role })) };
      }),
    );
    if (json) return printJson(rows);
    if (rows.length === 0) return printLine('  No users. Create one with `user create`.');
    printTable(
      ['USER ID', 'EMAIL', 'NAME', 'ROLES', 'LAST SIGN-IN', 'STATUS'],
      rows.map(({ id, email, name, programs, lastSignInAt, status }) => [
        id,
        email,
        name,
        programs.map((program) => `${program.role} of ${program.name}`).join(', ') || '-',
        formatTime(lastSignInAt),
        status,
      ]),
    );
  });
}

async function changeStatus(email: string, status: 'active' | 'disabled', json: boolean | undefined): Promise<void> {
  await withService(`user ${status}`, async ({ ctx }) => {
    const { id: userId } = await getUser(ctx, email);
    await transact(ctx, (tx) => setUserStatus(tx, { userId, status, actor: commandActor() }));
    if (json) return printJson({ userId, status });
    printLine(status === 'disabled' ? '  Disabled. All sessions of the user have ended.' : '  Enabled. The user can sign in again.');
  });
}
