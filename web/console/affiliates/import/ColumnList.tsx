// How the columns of the file are understood, with samples; each can be matched to another field or left out.
import { useTranslation } from 'react-i18next';
import { Select } from '../../../ui/form/select.tsx';
import type { Checked } from './checked.ts';
import styles from './import.module.css';

type Column = Checked['columns'][number];
type Field = NonNullable<Column['field']>;
export type Mapping = Readonly<Record<string, Field | null>>;

const fields: readonly Field[] = [
  'email',
  'name',
  'firstName',
  'lastName',
  'groupId',
  'parentAffiliateId',
  'externalId',
  'metadata',
  'tags',
  'autoApprove',
  'sendInvite',
];

type Props = { columns: readonly Column[]; mapping: Mapping; onChange: (mapping: Mapping) => void };

export function ColumnList({ columns, mapping, onChange }: Props) {
  const { t } = useTranslation('affiliate');
  const options = fields.map((field) => ({ value: field, label: t(`import.field.${field}`) }));
  return (
    <div className={styles.columns}>
      <div className={styles.title}>{t('import.columns')}</div>
      <ul>
        {columns.map((column) => (
          <li key={column.name} className={styles.column}>
            <span className={styles.columnName}>
              <b>{column.name}</b>
              <span className={styles.samples}>{column.samples.join(' · ')}</span>
            </span>
            <Select
              label={t('import.fieldOf', { column: column.name })}
              isLabelHidden
              options={options}
              isSearchable={false}
              canClear
              placeholder={t('import.ignored')}
              value={column.field}
              onChange={(field) => onChange({ ...mapping, [column.name]: field })}
            />
          </li>
        ))}
      </ul>
    </div>
  );
}
