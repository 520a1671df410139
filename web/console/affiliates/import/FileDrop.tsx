import { type ChangeEvent, type DragEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Icon } from '../../../ui/icons.tsx';
import styles from './import.module.css';

type Props = {
  name: string | null;
  /** What a file may contain, while none is chosen. */
  help: string;
  onChange: (event: ChangeEvent<HTMLInputElement>) => void;
  onDrop: (name: string, csv: string) => void;
};

/** Choose a file, or drop it here. The whole area is the label of the file field. */
export function FileDrop({ name, help, onChange, onDrop }: Props) {
  const { t } = useTranslation('affiliate');
  const [isOver, setIsOver] = useState(false);
  const drop = async (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    const file = event.dataTransfer.files[0];
    if (file) onDrop(file.name, await file.text());
  };
  return (
    <label
      className={styles.drop}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => void drop(event)}
    >
      <Icon name="upload" />
      <span>
        <b>{name ?? t('import.choose')}</b>
        <span className={styles.dropHelp}>{name === null ? help : t('import.chooseOther')}</span>
      </span>
      <input type="file" accept=".csv,.tsv,.txt,text/csv" onChange={onChange} data-autofocus />
    </label>
  );
}
