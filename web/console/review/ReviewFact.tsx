// What an item of the review queue is about, and its first risk.
import { useTranslation } from 'react-i18next';
import { type Item, kindOf, nameOf } from './kind-of.ts';

/** "Page · contains “cure”". */
export function ReviewFact({ item }: { item: Item }) {
  const { t } = useTranslation('review');
  const [risk] = item.risks;
  const page = item.isNew ? t('fact.newPage') : t('fact.changedPage');
  const subject = item.kind === 'page' ? page : item.kind === 'bounty_submission' ? item.title : item.affiliateName;
  const text = risk ? t(`fact.${risk.kind}`, { detail: risk.detail }) : subject;
  const isRepeated = text === nameOf(item);
  return (
    <>
      {t(`kind.${kindOf(item)}`)}
      {isRepeated ? null : (
        <>
          {' · '}
          <bdi>{text}</bdi>
        </>
      )}
    </>
  );
}
