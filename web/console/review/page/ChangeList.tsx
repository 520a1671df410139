// What changed since the approved revision, field by field, with the restricted phrases of the current one.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Loaded } from '../../../states/loaded.tsx';
import { Icon } from '../../../ui/icons.tsx';
import { SkeletonText } from '../../../ui/states/skeleton.tsx';
import styles from '../review.module.css';
import { type Changes, findChanges, listUnchanged, type Revision, textFields } from './changes.ts';
import pageStyles from './page.module.css';
import { useRevisions } from './use-revisions.ts';
import type { DiffPart } from './word-diff.ts';

type Props = { slug: string; approved: number | null; current: number };

export function ChangeList(props: Props) {
  const { t } = useTranslation('review');
  const { now, before } = useRevisions(props);
  return (
    <Loaded read={now} what={t('whatPage')} skeleton={<SkeletonText lines={6} />}>
      {(revision) => (
        <>
          <Restricted revision={revision} />
          {props.approved === null ? (
            <FirstVersion revision={revision} />
          ) : (
            <Loaded read={before} what={t('whatPage')} skeleton={<SkeletonText lines={6} />}>
              {(approved) => <Differences changes={findChanges(approved, revision)} />}
            </Loaded>
          )}
        </>
      )}
    </Loaded>
  );
}

function Restricted({ revision: { restrictedPhrases } }: { revision: Revision }) {
  const { t, i18n } = useTranslation('review');
  if (restrictedPhrases.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  return (
    <div>
      <h3 className={styles.asideTitle}>{t('page.restricted')}</h3>
      <ul className={styles.risks}>
        {restrictedPhrases.map(({ phrase, fields }) => (
          <li key={phrase}>
            <Icon name="warning" size={16} />
            {t('page.restrictedIn', { phrase, fields: list.format(fields.map((field) => t(`field.${field as 'headline'}`))) })}
          </li>
        ))}
      </ul>
    </div>
  );
}

function FirstVersion({ revision }: { revision: Revision }) {
  const { t } = useTranslation('review');
  return (
    <div>
      <h3 className={styles.asideTitle}>{t('page.firstVersion')}</h3>
      {textFields.map((field) =>
        revision[field] ? (
          <Field key={field} label={t(`field.${field}`)}>
            {revision[field]}
          </Field>
        ) : null,
      )}
      {revision.links.length === 0 ? null : (
        <Field label={t('field.links')}>
          <Lines lines={revision.links.map(({ label, url }) => `${label}: ${url}`)} />
        </Field>
      )}
    </div>
  );
}

function Differences({ changes }: { changes: Changes }) {
  const { t, i18n } = useTranslation('review');
  const unchanged = listUnchanged(changes);
  const list = new Intl.ListFormat(i18n.language, { type: 'conjunction' });
  return (
    <div>
      <h3 className={styles.asideTitle}>{t('page.changes')}</h3>
      {changes.texts.map(({ field, parts }) => (
        <Field key={field} label={t(`field.${field}`)}>
          <Words parts={parts} />
        </Field>
      ))}
      {changes.images.map(({ field, before, after }) => (
        <Field key={field} label={t(`field.${field}`)}>
          <span className={pageStyles.images}>
            <Picture url={before} label={t('page.before')} />
            <Icon name="arrowRight" size={16} />
            <Picture url={after} label={t('page.after')} />
          </span>
        </Field>
      ))}
      {changes.choices.map(({ field, before, after }) => (
        <Field key={field} label={t(`field.${field}`)}>
          <del className={pageStyles.removed}>{t(`choice.${before as 'ink'}`)}</del>{' '}
          <ins className={pageStyles.added}>{t(`choice.${after as 'ink'}`)}</ins>
        </Field>
      ))}
      <Products changes={changes} />
      <Links changes={changes} />
      {unchanged.length === 5 ? <p className={styles.calm}>{t('page.noChanges')}</p> : null}
      {unchanged.length === 0 || unchanged.length === 5 ? null : (
        <p className={styles.calm}>{t('page.asBefore', { list: list.format(unchanged.map((kind) => t(`unchanged.${kind}`))) })}</p>
      )}
    </div>
  );
}

function Products({ changes: { products, notes } }: { changes: Changes }) {
  const { t } = useTranslation('review');
  const { added, removed, isReordered } = products;
  return (
    <>
      {added.length + removed.length === 0 && !isReordered ? null : (
        <Field label={t('field.products')}>
          <Lines kind="removed" lines={removed.map(({ name }) => name)} />
          <Lines kind="added" lines={added.map(({ name }) => name)} />
          {isReordered ? t('page.reordered') : null}
        </Field>
      )}
      {notes.map(({ product, parts }) => (
        <Field key={product} label={t('page.noteOn', { product })}>
          <Words parts={parts} />
        </Field>
      ))}
    </>
  );
}

function Links({ changes: { links } }: { changes: Changes }) {
  const { t } = useTranslation('review');
  if (links.added.length + links.removed.length === 0) return null;
  const toLine = ({ label, url }: { label: string; url: string }) => `${label}: ${url}`;
  return (
    <Field label={t('field.links')}>
      <Lines kind="removed" lines={links.removed.map(toLine)} />
      <Lines kind="added" lines={links.added.map(toLine)} />
    </Field>
  );
}

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: Tab reaches each difference, so that it is read separately.
    <section className={pageStyles.change} tabIndex={0} aria-label={label}>
      <div className={pageStyles.changeLabel}>{label}</div>
      <div className={pageStyles.changeText}>{children}</div>
    </section>
  );
}

function Words({ parts }: { parts: readonly DiffPart[] }) {
  const keyed = parts.map((part, index) => ({ ...part, key: `${index}` }));
  return keyed.map(({ kind, text, key }) => {
    if (kind === 'removed') return <Mark key={key} kind="removed" text={text} />;
    return kind === 'added' ? <Mark key={key} kind="added" text={text} /> : <span key={key}>{text}</span>;
  });
}

/** Screen readers hear what happened to the words, which only colour shows to the eye. */
function Mark({ kind, text }: { kind: 'added' | 'removed'; text: string }) {
  const { t } = useTranslation('review');
  const Element = kind === 'added' ? 'ins' : 'del';
  return (
    <Element className={pageStyles[kind]}>
      <span className="visually-hidden">{t(`page.${kind}`)}: </span>
      {text}
    </Element>
  );
}

function Lines({ lines, kind }: { lines: readonly string[]; kind?: 'added' | 'removed' }) {
  return lines.map((line) => <div key={line}>{kind === undefined ? line : <Mark kind={kind} text={line} />}</div>);
}

function Picture({ url, label }: { url: string | null; label: string }) {
  const { t } = useTranslation('review');
  if (url === null) return <span className={pageStyles.noPicture}>{t('page.noImage')}</span>;
  return <img className={pageStyles.picture} src={url} alt={label} loading="lazy" referrerPolicy="no-referrer" />;
}
