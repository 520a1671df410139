import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react';
import { currentIntervention, onIntervention, startInterventions } from './wait.ts';

// Rarely needed: their forms are not part of the first load.
const ConfirmIdentity = lazy(async () => ({ default: (await import('./ConfirmIdentity.tsx')).ConfirmIdentity }));
const SetUpFactor = lazy(async () => ({ default: (await import('./SetUpFactor.tsx')).SetUpFactor }));
const SignInAgain = lazy(async () => ({ default: (await import('./SignInAgain.tsx')).SignInAgain }));

/** The dialogs that requests wait for: an ended session, and a sensitive action. */
export function Interventions() {
  const open = useSyncExternalStore(onIntervention, currentIntervention);
  useEffect(startInterventions, []);
  return (
    <Suspense fallback={null}>
      {open === 'signIn' ? <SignInAgain /> : null}
      {open === 'setUpFactor' ? <SetUpFactor /> : null}
      {open === 'confirm' ? <ConfirmIdentity /> : null}
    </Suspense>
  );
}
