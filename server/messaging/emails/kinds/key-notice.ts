// The notice that an API key of a program was created, rotated or revoked, to each of its owners. It is sent directly and
// not stored, so that no member can hold it back in the program's mailbox.
import { listOwners } from '../../../accounts/identity/members/find-owner-address.ts';
import { type KeyNotice, keyNoticeJob } from '../../../accounts/programs/api-keys/notify-job.ts';
import { getProgram } from '../../../accounts/programs/program.ts';
import type { Context } from '../../../context.ts';
import { transact } from '../../../platform/db/transact.ts';
import { getPublicUrl } from '../../../platform/lib/network/public-url.ts';
import { job, jobName } from '../../../platform/queue/job.ts';
import { type RenderedEmail, renderEmail } from '../layout.ts';
import { formatTime } from '../look/format.ts';
import { type Locale, parseLocale, serviceLook } from '../look/look.ts';
import { parseMailFrom } from '../look/sender.ts';
import { Unconfirmed } from '../mailer.ts';

type Letter = KeyNotice & { letterId: string; to: string; locale: Locale };

const letterJob = jobName<Letter>('emails.sendKeyNotice');

/** Queues one email per owner, so that an address that fails doesn't repeat the emails of the others. */
export const queueKeyNotices = job({
  ...keyNoticeJob,
  retries: 10,
  run: (ctx, notice) =>
    transact(ctx, async (tx) => {
      const owners = await listOwners(tx, notice.programId);
      for (const { email: to, locale } of owners) {
        const letter = { letterId: tx.ids.uuid(), to, locale: parseLocale(locale) ?? 'en' };
        await tx.jobs.enqueue(tx, letterJob, Object.assign(letter, notice));
      }
    }),
});

export const sendKeyNotice = job({
  ...letterJob,
  retries: 10,
  async run(ctx, letter) {
    if (!ctx.mailer) return;
    const content = await describe(ctx, letter);
    const { letterId, to } = letter;
    try {
      await ctx.mailer.send({ messageId: `<${letterId}@tributary>`, from: parseMailFrom(ctx.config.mailFrom), to, ...content });
    } catch (error) {
      // It may have arrived; sending it again could alarm the owner twice.
      if (!(error instanceof Unconfirmed)) throw error;
      ctx.log.warn({ job: letterJob.name }, 'the mail server did not confirm a notice about an API key');
    }
  },
});

async function describe(ctx: Context, letter: Letter): Promise<RenderedEmail> {
  const { name } = await getProgram(ctx, letter.programId);
  const users = ctx.db.selectFrom('users').select(['name', 'email']);
  const user = letter.userId === null ? undefined : await users.where('id', '=', letter.userId).executeTakeFirst();
  const url = `${getPublicUrl(ctx.config)}/console/${letter.programId}/settings/api-keys`;
  return renderKeyNotice({ ...letter, program: name, member: user ? user.name || user.email : null, url });
}

const texts = {
  en: {
    events: { created: 'An API key was created', rotated: 'An API key was rotated', revoked: 'An API key was revoked' },
    what: (event: string, program: string, member: string, at: string) => `${event} for ${program} on ${at}, by ${member}.`,
    commandLine: 'the command line of the server',
    name: 'API key',
    scopes: { read: 'It can read.', write: 'It can read and write.' },
    expires: (at: string) => `It expires on ${at}.`,
    never: 'It does not expire.',
    expected: 'If you expected this, no action is needed.',
    unexpected: 'If you didn’t, revoke the key immediately, and check the members of the program and the audit log.',
    unexpectedEnd: 'If you didn’t, check the members of the program and the audit log. What used the key needs a new one.',
    button: 'Check the API keys',
    footer: (program: string) =>
      `You received this email because you are an owner of ${program}. Emails about API keys can’t be turned off.`,
  },
  de: {
    events: {
      created: 'Ein API-Schlüssel wurde erstellt',
      rotated: 'Ein API-Schlüssel wurde erneuert',
      revoked: 'Ein API-Schlüssel wurde widerrufen',
    },
    what: (event: string, program: string, member: string, at: string) => `${event}. Programm: ${program}, Zeit: ${at}, durch: ${member}.`,
    commandLine: 'die Befehlszeile des Servers',
    name: 'API-Schlüssel',
    scopes: { read: 'Er kann lesen.', write: 'Er kann lesen und schreiben.' },
    expires: (at: string) => `Er läuft ab am ${at}.`,
    never: 'Er läuft nicht ab.',
    expected: 'Wenn das erwartet war, ist nichts zu tun.',
    unexpected: 'Wenn nicht, widerrufe den Schlüssel sofort und prüfe die Mitglieder des Programms und das Audit-Protokoll.',
    unexpectedEnd:
      'Wenn nicht, prüfe die Mitglieder des Programms und das Audit-Protokoll. Was den Schlüssel benutzt hat, braucht einen neuen.',
    button: 'API-Schlüssel prüfen',
    footer: (program: string) =>
      `Du erhältst diese E-Mail, weil du Inhaber von ${program} bist. E-Mails über API-Schlüssel lassen sich nicht abbestellen.`,
  },
};

type Content = Pick<KeyNotice, 'event' | 'name' | 'canWrite' | 'expiresAt' | 'at'> & {
  locale: Locale;
  program: string;
  /** Null for the command line. */
  member: string | null;
  url: string;
};

/** The email about one change of a key. */
export function renderKeyNotice({ locale, event, name, canWrite, expiresAt, at, program, member, url }: Content): RenderedEmail {
  const words = texts[locale];
  const title = words.events[event];
  const key = [
    words.scopes[canWrite ? 'write' : 'read'],
    expiresAt === null ? words.never : words.expires(formatTime(new Date(expiresAt), locale)),
  ];
  return renderEmail(
    { look: serviceLook, locale },
    {
      subject: `${program}: ${title}`,
      heading: title,
      paragraphs: [
        words.what(title, program, member ?? words.commandLine, formatTime(new Date(at), locale)),
        ...(event === 'revoked' ? [] : [key.join(' ')]),
        words.expected,
        event === 'revoked' ? words.unexpectedEnd : words.unexpected,
      ],
      note: { label: words.name, text: name },
      button: { label: words.button, url },
      footer: words.footer(program),
    },
  );
}
