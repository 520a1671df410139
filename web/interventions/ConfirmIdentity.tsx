// "Confirm it's you": a passkey, a code from the authenticator app, or a code by email. Then the action continues.
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { call, type Result } from '../api/call.ts';
import { RequestError } from '../api/errors.ts';
import { Dialog } from '../dialog/Dialog.tsx';
import { Button } from '../ui/controls/button.tsx';
import { TextInput } from '../ui/form/fields.tsx';
import { CopyButton } from '../ui/marks/copy-button.tsx';
import { SkeletonText } from '../ui/states/skeleton.tsx';
import styles from './interventions.module.css';
import { endIntervention } from './wait.ts';

type Methods = Result<'confirm.methods'>;
type Method = Methods['methods'][number];

export function ConfirmIdentity() {
  const { t } = useTranslation('shell');
  const read = useQuery({
    queryKey: ['confirm.methods'],
    queryFn: () => call('confirm.methods', {}, { isSilent: true }),
    staleTime: 0,
  });
  return (
    <Dialog isOpen onClose={() => endIntervention(false)} label={t('confirm.title')}>
      <div className={styles.body}>
        <h2>{t('confirm.title')}</h2>
        <p>{t('confirm.text')}</p>
        {read.data ? (
          <Steps {...read.data} />
        ) : read.error ? (
          <p className={styles.problem}>{read.error.message}</p>
        ) : (
          <SkeletonText lines={2} />
        )}
      </div>
    </Dialog>
  );
}

function Steps({ methods, email }: Methods) {
  const { t } = useTranslation('shell');
  const [problem, setProblem] = useState<string | null>(null);
  const [isBusy, setIsBusy] = useState(false);
  const attempt = async (send: () => Promise<unknown>, fallback: string) => {
    setIsBusy(true);
    setProblem(null);
    try {
      await send();
      endIntervention(true);
    } catch (error) {
      setProblem(error instanceof RequestError ? error.message : fallback);
      setIsBusy(false);
    }
  };
  const confirmCode = (method: Method, code: string) =>
    void attempt(() => call('confirm.create', { body: { method, code } }, { isSilent: true }), t('confirm.failed'));
  return (
    <>
      {methods.includes('passkey') ? (
        <Button kind="primary" icon="key" isBusy={isBusy} onClick={() => void attempt(confirmWithPasskey, t('confirm.passkeyFailed'))}>
          {t('confirm.passkey')}
        </Button>
      ) : null}
      {methods.includes('authenticator') ? (
        <CodeForm label={t('confirm.authenticator')} isBusy={isBusy} onSubmit={(code) => confirmCode('authenticator', code)} />
      ) : null}
      {methods.includes('email') ? <EmailCode email={email} isBusy={isBusy} onSubmit={(code) => confirmCode('email', code)} /> : null}
      {methods.length === 0 ? <NewLink email={email} /> : null}
      <p role="alert" className={styles.problem}>
        {problem}
      </p>
      <div className={styles.buttons}>
        <Button onClick={() => endIntervention(false)}>{t('confirm.cancel')}</Button>
        {methods.length === 0 ? (
          <Button kind="primary" onClick={() => endIntervention(true)}>
            {t('confirm.signedIn')}
          </Button>
        ) : null}
      </div>
    </>
  );
}

/**
 * Without a mail server and a second factor, only a link of the command line proves more than the session: a link that the
 * session could show itself would let a stolen session confirm itself.
 */
function NewLink({ email }: { email: string }) {
  const { t } = useTranslation('shell');
  const address = /^[\w.@+-]+$/.test(email) ? email : `'${email.replaceAll("'", `'\\''`)}'`;
  return (
    <>
      <p>{t('confirm.none')}</p>
      <div className={styles.command}>
        <CopyButton value={`bin/tributary user link ${address}`} isMono label={t('confirm.copyCommand')} />
      </div>
    </>
  );
}

function EmailCode({ email, isBusy, onSubmit }: { email: string; isBusy: boolean; onSubmit: (code: string) => void }) {
  const { t } = useTranslation('shell');
  const [state, setState] = useState<'idle' | 'sent' | 'failed'>('idle');
  const send = async () => {
    try {
      await call('confirm.email', {}, { isSilent: true });
      setState('sent');
    } catch {
      setState('failed');
    }
  };
  if (state === 'sent') return <CodeForm label={t('confirm.email', { email })} isBusy={isBusy} onSubmit={onSubmit} />;
  return (
    <>
      <Button kind="primary" icon="mailbox" onClick={() => void send()}>
        {t('confirm.sendEmail')}
      </Button>
      {state === 'failed' ? <p className={styles.problem}>{t('confirm.failed')}</p> : null}
    </>
  );
}

function CodeForm({ label, isBusy, onSubmit }: { label: string; isBusy: boolean; onSubmit: (code: string) => void }) {
  const { t } = useTranslation('shell');
  const [code, setCode] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (code.trim() !== '') onSubmit(code.trim());
  };
  return (
    <form className={styles.code} onSubmit={submit}>
      <TextInput label={label} value={code} onChange={setCode} hasAutoFocus />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('confirm.submit')}
      </Button>
    </form>
  );
}

/** The library is loaded when a passkey is used. */
async function confirmWithPasskey(): Promise<void> {
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { options } = await call('confirm.passkeyOptions', {}, { isSilent: true });
  // The API passes on what the browser expects, without a type.
  const optionsJSON = options as unknown as Parameters<typeof startAuthentication>[0]['optionsJSON'];
  const { clientExtensionResults, ...signed } = await startAuthentication({ optionsJSON });
  const response = { ...signed, clientExtensionResults: { ...clientExtensionResults } };
  await call('confirm.create', { body: { method: 'passkey', response } }, { isSilent: true });
}
