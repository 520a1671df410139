// Downloads a tax file, after a recent sign-in. Faults are shown at the fields of the form.
import { useId, useState } from 'react';
import { RequestError } from '../../../api/errors.ts';
import { useRecentSignIn } from '../../../interventions/use-step-up.ts';
import { saveFile } from '../../../states/download.ts';
import type { FormProblem } from '../../../ui/form/form.tsx';

type Options = { load: () => Promise<unknown>; name: string; setProblem: (problem: FormProblem) => void; onClose: () => void };

export function useTaxFile({ load, name, setProblem, onClose }: Options): { id: string; isBusy: boolean; save: () => Promise<void> } {
  const id = useId();
  const [isBusy, setIsBusy] = useState(false);
  useRecentSignIn(true, onClose);
  const save = async () => {
    setIsBusy(true);
    try {
      const file = await load();
      if (file instanceof Blob) saveFile(file, name);
      onClose();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      setProblem(error);
    } finally {
      setIsBusy(false);
    }
  };
  return { id, isBusy, save };
}
