import { type ReactNode, useState } from 'react';
import { Button } from '../ui/controls/button.tsx';
import { download } from './download.ts';

type Props = { name: string; load: () => Promise<unknown>; size?: 'small' | 'medium'; children: ReactNode };

/** Saves the file that a request returns, under a name. It is busy until the file is there; an error is shown. */
export function DownloadButton({ name, load, size = 'medium', children }: Props) {
  const [isBusy, setIsBusy] = useState(false);
  const save = async () => {
    setIsBusy(true);
    await download(name, load);
    setIsBusy(false);
  };
  return (
    <Button size={size} icon="download" isBusy={isBusy} onClick={() => void save()}>
      {children}
    </Button>
  );
}
