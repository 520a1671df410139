// Every text of the sign-in pages and emails, in the languages of the product.
import { singleSignOnProblems } from '../../single-sign-on/texts.ts';
import type { PageBrand } from './page-brand.ts';

const en = {
  lang: 'en',
  front: {
    title: 'Affiliate programs',
    intro: 'Brands run their affiliate programs here. Sign in to the console of a program, or to the portal for affiliates.',
    signIn: 'Sign in',
    docs: 'Documentation',
    reference: 'API reference',
  },
  notFound: {
    title: 'Page not found',
    text: 'This address doesn’t exist. Check it, or go to the front page.',
    back: 'Go to the front page',
  },
  signIn: {
    title: 'Sign in',
    intro: 'Enter your email address. We’ll send you a link and a six-digit code; there is no password.',
    email: 'Email',
    submit: 'Continue with email',
    or: 'or',
    passkey: 'Sign in with a passkey',
    singleSignOn: 'Continue with single sign-on',
    noProvider: 'Single sign-on isn’t set up for this domain. Continue with email.',
    invalidEmail: 'Enter an email address such as ada@example.com.',
    noMailTitle: 'This service has no mail server.',
    noMail: 'An administrator can create a sign-in link for you on the server:',
    notSetUpTitle: 'This service has no users yet.',
    notSetUp: 'Open the set-up link that the server printed when it started.',
  },
  sent: {
    title: 'Check your email',
    intro: 'If you can sign in with this address, its mailbox has a sign-in email from the last 15 minutes.',
    details: 'Open the link in it, or enter the six-digit code of the newest email in this browser. Both expire after 15 minutes.',
    code: 'Six-digit code',
    submit: 'Sign in',
    restart: 'Use a different address, or send it again',
    singleSignOn: 'This domain uses single sign-on. If its organization requires it, no email is sent.',
    wrongCode: 'This code is incorrect or has expired.',
    noMail: 'No email was sent, because this service has no mail server. An administrator can create a sign-in link:',
  },
  provider: {
    title: 'Continue to your organization',
    text: (host: string) => `You sign in at ${host} and then come back here.`,
    submit: 'Continue',
  },
  enter: {
    title: 'Continue to sign in',
    as: 'You’re signing in as',
    to: 'to',
    more: (count: number) => (count === 1 ? 'and 1 other program' : `and ${count} other programs`),
    submit: 'Continue',
    otherBrowser: 'You requested this link in a different browser. Continuing ends your sessions in all other browsers.',
    once: 'This link works once. If you didn’t request it, close this page.',
    acceptTitle: 'Accept the invitation',
    acceptAs: 'You’re invited as',
    accept: 'Accept invitation',
    acceptOnce: 'You have an account already, so you sign in after accepting. This link works once.',
  },
  accepted: {
    title: 'Invitation accepted',
    text: 'Sign in to your account to continue.',
    submit: 'Email me a sign-in link',
    otherWays: 'Other ways to sign in',
  },
  secondFactor: {
    title: 'Verify your identity',
    intro: 'Enter the code from your authenticator app. A recovery code works, too.',
    code: 'Authentication code',
    submit: 'Verify',
    wrongCode: 'This code is incorrect, has expired, or was used before.',
  },
  welcome: {
    title: 'Welcome',
    intro: 'You’re signed in. How should your name appear to other members?',
    affiliateIntro: 'You’re signed in. Is this your name?',
    name: 'Your name',
    invalidName: 'Enter a name of up to 200 characters.',
    submit: 'Save and continue',
    passkeyTitle: 'Sign in faster next time',
    passkeyIntro: 'A passkey uses your fingerprint, face or screen lock instead of an email.',
    passkey: 'Add a passkey',
    passkeyAdded: 'Passkey added.',
  },
  setUp: {
    title: 'Set up Tributary',
    intro: 'You become the owner of a new organization. Its programs are created in the console.',
    organization: 'Company',
    invalidOrganization: 'Enter a name of up to 100 characters, without < and >.',
    email: 'Your email',
    submit: 'Continue',
    once: 'This link works until the first user is created.',
  },
  problems: {
    setUp: { title: 'Tributary is set up', text: 'The set-up link worked once. Sign in with the account that was created.' },
    unknown: {
      title: 'This link isn’t valid',
      text: 'The address may be incomplete. Copy the whole link from the email, or request a new one.',
    },
    used: { title: 'This link has been used', text: 'Each link signs in once. Request a new one to sign in again.' },
    expired: { title: 'This link has expired', text: 'Links are valid for a short time. Request a new one to sign in.' },
    denied: { title: 'You can’t sign in with this link', text: 'The account is disabled, or its invitation was withdrawn.' },
    ...singleSignOnProblems.en,
    tooMany: { title: 'Too many attempts', text: 'Wait a few minutes, then try again.' },
    tooManyEmails: {
      title: 'No email was sent',
      text: 'This browser requested several emails for the address. The links of earlier ones work for 15 minutes. Otherwise, try again later.',
    },
    otherSite: {
      title: 'This request came from another site',
      text: 'For your security, signing in only works from this service’s own pages. Open the sign-in page and try again.',
    },
    failed: { title: 'We couldn’t sign you in', text: 'The service is temporarily unavailable. Try again in a minute.' },
    newLink: 'Send a new link',
    toSignIn: 'Go to the sign-in page',
  },
  passkeyFailed: 'We couldn’t verify your passkey. Try again, or continue with email.',
  footer: 'Affiliate programs by Tributary',
};

type Words = typeof en;
/** The texts of a page. `brand`: the program whose name and logo it shows. */
export type Texts = Words & { brand?: PageBrand | null };

const de: Words = {
  lang: 'de',
  front: {
    title: 'Affiliate-Programme',
    intro: 'Marken betreiben hier ihre Affiliate-Programme. Melde dich in der Konsole eines Programms oder im Portal für Affiliates an.',
    signIn: 'Anmelden',
    docs: 'Dokumentation',
    reference: 'API-Referenz',
  },
  notFound: {
    title: 'Seite nicht gefunden',
    text: 'Diese Adresse gibt es nicht. Prüfe sie oder gehe zur Startseite.',
    back: 'Zur Startseite',
  },
  signIn: {
    title: 'Anmelden',
    intro: 'E-Mail-Adresse eingeben, um einen Link und einen sechsstelligen Code zu erhalten. Ein Passwort ist nicht nötig.',
    email: 'E-Mail-Adresse',
    submit: 'Weiter mit E-Mail',
    or: 'oder',
    passkey: 'Mit Passkey anmelden',
    singleSignOn: 'Weiter mit Single Sign-on',
    noProvider: 'Für diese Domain ist kein Single Sign-on eingerichtet. Weiter mit E-Mail.',
    invalidEmail: 'Eine E-Mail-Adresse wie ada@example.com eingeben.',
    noMailTitle: 'Dieser Dienst hat keinen Mailserver.',
    noMail: 'Ein Administrator kann auf dem Server einen Anmeldelink erstellen:',
    notSetUpTitle: 'Dieser Dienst hat noch keine Benutzer.',
    notSetUp: 'Den Einrichtungslink öffnen, den der Server beim Start ausgegeben hat.',
  },
  sent: {
    title: 'E-Mails abrufen',
    intro: 'Wenn die Anmeldung mit dieser Adresse möglich ist, liegt in ihrem Postfach eine E-Mail aus den letzten 15 Minuten.',
    details:
      'Den Link darin öffnen oder den sechsstelligen Code der neuesten E-Mail in diesem Browser eingeben. Beide sind 15 Minuten gültig.',
    code: 'Sechsstelliger Code',
    submit: 'Anmelden',
    restart: 'Andere Adresse verwenden oder erneut senden',
    singleSignOn: 'Diese Domain nutzt Single Sign-on. Verlangt ihre Organisation es, wird keine E-Mail gesendet.',
    wrongCode: 'Dieser Code ist falsch oder abgelaufen.',
    noMail: 'Es wurde keine E-Mail gesendet, weil dieser Dienst keinen Mailserver hat. Ein Administrator kann einen Anmeldelink erstellen:',
  },
  provider: {
    title: 'Weiter zu deiner Organisation',
    text: (host: string) => `Die Anmeldung erfolgt bei ${host} und führt dann hierher zurück.`,
    submit: 'Weiter',
  },
  enter: {
    title: 'Anmeldung fortsetzen',
    as: 'Anmeldung als',
    to: 'bei',
    more: (count: number) => (count === 1 ? 'und 1 weiteren Programm' : `und ${count} weiteren Programmen`),
    submit: 'Weiter',
    otherBrowser: 'Dieser Link wurde in einem anderen Browser angefordert. „Weiter“ beendet die Sitzungen in allen anderen Browsern.',
    once: 'Der Link funktioniert einmal. Falls er nicht angefordert wurde, diese Seite schließen.',
    acceptTitle: 'Einladung annehmen',
    acceptAs: 'Einladung für',
    accept: 'Einladung annehmen',
    acceptOnce: 'Für diese Adresse gibt es schon ein Konto, deshalb folgt danach die Anmeldung. Der Link funktioniert einmal.',
  },
  accepted: {
    title: 'Einladung angenommen',
    text: 'Weiter geht es mit der Anmeldung beim bestehenden Konto.',
    submit: 'Anmeldelink per E-Mail senden',
    otherWays: 'Andere Wege zur Anmeldung',
  },
  secondFactor: {
    title: 'Identität bestätigen',
    intro: 'Den Code aus der Authenticator-App eingeben. Ein Wiederherstellungscode funktioniert ebenfalls.',
    code: 'Bestätigungscode',
    submit: 'Bestätigen',
    wrongCode: 'Dieser Code ist falsch, abgelaufen oder wurde bereits verwendet.',
  },
  welcome: {
    title: 'Willkommen',
    intro: 'Die Anmeldung war erfolgreich. Unter welchem Namen sollen andere Mitglieder dieses Konto sehen?',
    affiliateIntro: 'Die Anmeldung war erfolgreich. Stimmt dieser Name?',
    name: 'Name',
    invalidName: 'Einen Namen mit höchstens 200 Zeichen eingeben.',
    submit: 'Speichern und weiter',
    passkeyTitle: 'Beim nächsten Mal schneller anmelden',
    passkeyIntro: 'Ein Passkey nutzt Fingerabdruck, Gesicht oder Displaysperre anstelle einer E-Mail.',
    passkey: 'Passkey hinzufügen',
    passkeyAdded: 'Passkey hinzugefügt.',
  },
  setUp: {
    title: 'Tributary einrichten',
    intro: 'Dieses Konto wird Inhaber einer neuen Organisation. Ihre Programme entstehen in der Konsole.',
    organization: 'Unternehmen',
    invalidOrganization: 'Einen Namen mit höchstens 100 Zeichen ohne < und > eingeben.',
    email: 'Deine E-Mail-Adresse',
    submit: 'Weiter',
    once: 'Der Link funktioniert, bis der erste Benutzer angelegt ist.',
  },
  problems: {
    setUp: {
      title: 'Tributary ist eingerichtet',
      text: 'Der Einrichtungslink funktioniert einmal. Melde dich mit dem angelegten Konto an.',
    },
    unknown: {
      title: 'Dieser Link ist ungültig',
      text: 'Die Adresse ist möglicherweise unvollständig. Den ganzen Link aus der E-Mail kopieren oder einen neuen anfordern.',
    },
    used: {
      title: 'Dieser Link wurde bereits verwendet',
      text: 'Jeder Link funktioniert einmal. Für eine weitere Anmeldung einen neuen anfordern.',
    },
    expired: { title: 'Dieser Link ist abgelaufen', text: 'Links sind nur kurze Zeit gültig. Für die Anmeldung einen neuen anfordern.' },
    denied: {
      title: 'Anmeldung mit diesem Link nicht möglich',
      text: 'Das Konto ist deaktiviert oder die Einladung wurde zurückgezogen.',
    },
    ...singleSignOnProblems.de,
    tooMany: { title: 'Zu viele Versuche', text: 'Einige Minuten warten und dann erneut versuchen.' },
    tooManyEmails: {
      title: 'Es wurde keine E-Mail gesendet',
      text: 'Dieser Browser hat mehrere E-Mails für die Adresse angefordert. Die Links der früheren sind 15 Minuten gültig. Sonst später erneut versuchen.',
    },
    otherSite: {
      title: 'Diese Anfrage kam von einer anderen Website',
      text: 'Zur Sicherheit ist die Anmeldung nur auf den Seiten dieses Dienstes möglich. Die Anmeldeseite öffnen und erneut versuchen.',
    },
    failed: { title: 'Anmeldung fehlgeschlagen', text: 'Der Dienst ist vorübergehend nicht verfügbar. In einer Minute erneut versuchen.' },
    newLink: 'Neuen Link senden',
    toSignIn: 'Zur Anmeldeseite',
  },
  passkeyFailed: 'Der Passkey konnte nicht geprüft werden. Erneut versuchen oder mit E-Mail fortfahren.',
  footer: 'Affiliate-Programme mit Tributary',
};

const languages: Record<string, Words> = { en, de };

/** The texts in a user's language. */
export function textsFor(locale: string): Texts {
  return languages[locale] ?? en;
}

/** The texts in the language that an Accept-Language header prefers. */
export function textsForHeader(header: string | undefined): Texts {
  const preferred = (header ?? '')
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => /^\s*q=([\d.]+)\s*$/.exec(parameter)?.[1]).find((value) => value !== undefined);
      return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) };
    })
    .filter(({ language, quality }) => Object.hasOwn(languages, language) && quality > 0)
    .sort((first, second) => second.quality - first.quality);
  return textsFor(preferred[0]?.language ?? 'en');
}
