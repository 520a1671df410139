import { useEffect, useSyncExternalStore } from 'react';
import { ConfirmIdentity } from './ConfirmIdentity.tsx';
import { SetUpFactor } from './SetUpFactor.tsx';
import { SignInAgain } from './SignInAgain.tsx';
import { currentIntervention, onIntervention, startInterventions } from './wait.ts';

/** The dialogs that requests wait for: an ended session, and a sensitive action. */
export function Interventions() {
  const open = useSyncExternalStore(onIntervention, currentIntervention);
  useEffect(startInterventions, []);
  if (open === 'signIn') return <SignInAgain />;
  if (open === 'setUpFactor') return <SetUpFactor />;
  return open === 'confirm' ? <ConfirmIdentity /> : null;
}
