// What an affiliate sent with the join form: the answers, the terms that were accepted, and why a rule approved it.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Result } from '../../../api/call.ts';
import { useProgram } from '../../../session/program.ts';
import { DateTime } from '../../../ui/figures/date-time.tsx';
import { fullName } from '../../../ui/figures/full-name.ts';
import { Facts } from '../../../ui/layout/card.tsx';
import { Link } from '../../../ui/layout/link.tsx';
import { Text } from '../../../ui/layout/stack.tsx';
import styles from './application.module.css';

export type Application = Result<'applications.list'>['applications'][number];

export function ApplicationFacts({ application, total }: { application: Application; total: number }) {
  const { t } = useTranslation('join');
  const { answers, termsVersion, confirmedAt, autoApproval, recruiter } = application;
  const facts = [
    { label: t('application.confirmed'), value: <DateTime value={confirmedAt} as="exact" /> },
    {
      label: t('application.terms'),
      value: termsVersion === null ? t('application.noTerms') : t('application.acceptedVersion', { version: termsVersion }),
    },
    ...(recruiter === null ? [] : [{ label: t('application.recruiter'), value: <Recruiter recruiter={recruiter} /> }]),
    ...(autoApproval === null ? [] : [{ label: t('application.autoApproved'), value: <Reason reason={autoApproval} /> }]),
  ];
  return (
    <div className={styles.application}>
      {answers.length === 0 ? (
        <Text>{t('application.noAnswers')}</Text>
      ) : (
        <dl className={styles.answers}>
          {answers.map(({ questionId, question, kind, answer }) => (
            <div key={questionId}>
              <dt>{question}</dt>
              <dd>{kind === 'url' ? <Address url={answer} /> : answer}</dd>
            </div>
          ))}
        </dl>
      )}
      <Facts rows={facts} columns={2} />
      {total > 1 ? <Text size="small">{t('application.again', { count: total })}</Text> : null}
    </div>
  );
}

/** An address that an applicant typed; the server accepts http and https only. */
function Address({ url }: { url: string }): ReactNode {
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow ugc">
      {url}
    </a>
  );
}

function Recruiter({ recruiter }: { recruiter: NonNullable<Application['recruiter']> }) {
  const { href } = useProgram();
  return (
    <Link href={href(`affiliates/${recruiter.id}`)}>
      <bdi>{fullName(recruiter)}</bdi>
    </Link>
  );
}

function Reason({ reason }: { reason: NonNullable<Application['autoApproval']> }) {
  const { t } = useTranslation('join');
  const parts = [
    ...(reason.rule === 'all' ? [t('application.reasonAll')] : []),
    ...(reason.emailDomain === null ? [] : [t('application.reasonDomain', { domain: reason.emailDomain })]),
    ...reason.answers.map((given) => t('application.reasonAnswer', given)),
  ];
  return parts.join(' · ');
}
