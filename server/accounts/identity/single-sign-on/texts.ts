// Why a person wasn't signed in by the provider of their organization, in the languages of the product.

const en = {
  ssoRequired: {
    title: 'Sign in with single sign-on',
    text: 'Your organization requires it, so links, codes and passkeys don’t sign you in.',
  },
  ssoUnavailable: {
    title: 'Single sign-on isn’t available',
    text: 'Your organization’s sign-in service didn’t answer as expected. Try again in a minute, or ask an owner to check its settings.',
  },
  ssoRejected: {
    title: 'You weren’t signed in',
    text: 'Your organization’s sign-in service rejected the request, or it was cancelled. Try again, or ask its administrator for access.',
  },
  ssoExpired: {
    title: 'This sign-in has expired',
    text: 'It took longer than 15 minutes, was completed before, or started in a different browser. Start again.',
  },
  emailUnverified: {
    title: 'Your email address isn’t verified',
    text: 'Your organization’s sign-in service doesn’t confirm your address. Ask its administrator to verify it.',
  },
  domainUnverified: {
    title: 'Your email address can’t be used here',
    text: 'Your organization hasn’t proven that its domain belongs to it. Ask an owner to check the settings of single sign-on.',
  },
  accountReplaced: {
    title: 'This address belongs to another account',
    text: 'A different account of your organization has signed in with it before. Ask an owner to remove its domain and add it again.',
  },
  disabled: { title: 'Your account is disabled', text: 'Ask an administrator of this service to enable it.' },
};

const de: typeof en = {
  ssoRequired: {
    title: 'Mit Single Sign-on anmelden',
    text: 'Deine Organisation verlangt es, deshalb ist die Anmeldung mit Link, Code oder Passkey nicht möglich.',
  },
  ssoUnavailable: {
    title: 'Single Sign-on ist nicht verfügbar',
    text: 'Der Anmeldedienst deiner Organisation hat nicht wie erwartet geantwortet. In einer Minute erneut versuchen oder einen Inhaber bitten, die Einstellungen zu prüfen.',
  },
  ssoRejected: {
    title: 'Anmeldung nicht abgeschlossen',
    text: 'Der Anmeldedienst deiner Organisation hat sie abgelehnt, oder sie wurde abgebrochen. Erneut versuchen oder bei seinem Administrator den Zugang anfragen.',
  },
  ssoExpired: {
    title: 'Diese Anmeldung ist abgelaufen',
    text: 'Sie hat länger als 15 Minuten gedauert, wurde schon abgeschlossen oder in einem anderen Browser begonnen. Von vorn beginnen.',
  },
  emailUnverified: {
    title: 'Deine E-Mail-Adresse ist nicht bestätigt',
    text: 'Der Anmeldedienst deiner Organisation bestätigt sie nicht. Seinen Administrator bitten, sie zu bestätigen.',
  },
  domainUnverified: {
    title: 'Deine E-Mail-Adresse ist hier nicht verwendbar',
    text: 'Deine Organisation hat nicht nachgewiesen, dass ihr die Domain gehört. Einen Inhaber bitten, die Einstellungen für Single Sign-on zu prüfen.',
  },
  accountReplaced: {
    title: 'Diese Adresse gehört zu einem anderen Konto',
    text: 'Ein anderes Konto deiner Organisation hat sich bereits mit ihr angemeldet. Einen Inhaber bitten, die Domain zu entfernen und neu hinzuzufügen.',
  },
  disabled: { title: 'Dein Konto ist deaktiviert', text: 'Einen Administrator dieses Dienstes bitten, es zu aktivieren.' },
};

export const singleSignOnProblems = { en, de };
